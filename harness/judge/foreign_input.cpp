// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/foreign_input.h"

#include <fmt/format.h>

#include "base/error.h"

namespace alsbench {
namespace {

bool has(const Json& json, const char* key, bool (Json::*is)() const noexcept) {
  return json.is_object() && json.contains(key) && (json[key].*is)();
}

ComparisonInput read(ComparisonInput (*reader)(const JsonField&, const std::string&),
                     const Json& json, const std::string& source) {
  ComparisonInput input =
      read_written(json, source, [&](const JsonField& fields) { return reader(fields, source); });
  if (input.cases.empty())
    throw UsageError(fmt::format("{}: holds no benchmark ({} JSON)", source, input.format));
  return input;
}

}  // namespace

std::optional<ComparisonInput> foreign_input_of(const Json& json, const std::string& source) {
  if (!has(json, "benchmarks", &Json::is_array)) return std::nullopt;
  if (has(json, "context", &Json::is_object)) return read(gbench_input_of, json, source);
  if (has(json, "devices", &Json::is_array) || has(json, "meta", &Json::is_object))
    return read(nvbench_input_of, json, source);
  return std::nullopt;
}

std::string text_in(const JsonField& json, const char* key) {
  return optional_text(json.find(key)).value_or("");
}

}  // namespace alsbench
