// SPDX-License-Identifier: Apache-2.0
#include "harness/record/document.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/record/escape.h"
#include "harness/record/schema_version.h"

namespace alsbench {

void check_document(const Json& json, std::string_view kind, const std::string& source) {
  const std::string found = text_at(json, "kind");
  if (found != kind)
    throw UsageError(fmt::format(
        "{}: is no document of kind '{}': {}", source, kind,
        found.empty() ? "it has no kind" : fmt::format("its kind is '{}'", visible(found))));
  check_schema_version(text_at(json, "schema_version"), kSchemaVersion, source);
}

std::string text_by_lines(const Json& document, std::string_view list) {
  const auto line_of = [](const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  };
  std::string text;
  for (const auto& [name, member] : document.items()) {
    text += fmt::format("{}\n {}: ", text.empty() ? "{" : ",", line_of(name));
    if (name != list) {
      text += line_of(member);
      continue;
    }
    std::string elements;
    for (const Json& element : member)
      elements += fmt::format("{}\n  {}", elements.empty() ? "" : ",", line_of(element));
    text += elements.empty() ? "[]" : fmt::format("[{}\n ]", elements);
  }
  return text + "\n}\n";
}

}  // namespace alsbench
