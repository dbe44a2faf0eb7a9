// SPDX-License-Identifier: Apache-2.0
#include "harness/record/document.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "harness/record/escape.h"

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

namespace {

int major_of(std::string_view version, const std::string& source) {
  int number = 0;
  const char* const last = version.data() + version.size();
  const auto [end, error] = std::from_chars(version.data(), last, number);
  if (error != std::errc() || number < 0 || end == last || *end != '.')
    throw UsageError(fmt::format("{}: schema_version '{}' is not of the form major.minor.patch",
                                 source, visible(version)));
  return number;
}

}  // namespace

void check_schema_version(const std::string& version, std::string_view known,
                          const std::string& source) {
  const int known_major = major_of(known, "alsbench"), major = major_of(version, source);
  if (major > known_major)
    throw UsageError(
        fmt::format("{}: has schema version {}, but this alsbench reads {}.x; use a newer alsbench",
                    source, visible(version), known_major));
  if (major < known_major)
    throw UsageError(
        fmt::format("{}: has schema version {}, but this alsbench reads {}.x; convert the file "
                    "with scripts/convert_results.py",
                    source, visible(version), known_major));
}

}  // namespace alsbench
