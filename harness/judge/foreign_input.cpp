// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/foreign_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/error.h"

namespace alsbench {
namespace {

constexpr const char* kNoTime = "the file has no time of it above 0";
constexpr std::array<std::string_view, 4> kBareNumbers{"NaN", "-NaN", "Infinity", "-Infinity"};

bool has(const Json& json, const char* key, bool (Json::*is)() const noexcept) {
  return json.is_object() && json.contains(key) && (json[key].*is)();
}

ComparisonInput read(ComparisonInput (*reader)(const JsonField&, const std::string&),
                     const Json& json, const std::string& source) {
  ComparisonInput input =
      read_written(json, source, [&](const JsonField& fields) { return reader(fields, source); });
  const bool any = std::any_of(input.cases.begin(), input.cases.end(), [](const auto& c) {
    return c.outcome != Outcome::skipped || c.detail != kNoTime;
  });
  if (!any) throw UsageError(fmt::format("{}: holds no benchmark ({} JSON)", source, input.format));
  return input;
}

void take_names(ComparisonInput& input, const ComparisonInput& other) {
  std::set<std::string> names;
  for (const ComparisonCase& c : other.cases) names.insert(c.name);
  for (ComparisonCase& c : input.cases) {
    const std::string record = fmt::format("{}/device:{}", c.record, c.device);
    const std::string name = record + c.name.substr(c.record.size());
    if (names.contains(c.name) || !names.contains(name)) continue;
    c.record = record;
    c.name = name;
  }
}

}  // namespace

std::string without_bare_numbers(std::string_view text) {
  std::string result;
  if (text.find("NaN") == text.npos && text.find("Infinity") == text.npos) return result = text;
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted && text[i] == '\\') result += text[i++];
    const std::string_view rest = text.substr(i);
    const auto bare =
        std::find_if(kBareNumbers.begin(), kBareNumbers.end(),
                     [&](std::string_view word) { return !quoted && rest.starts_with(word); });
    if (bare != kBareNumbers.end()) {
      result += "null";
      i += bare->size() - 1;
    } else if (i < text.size()) {
      result += text[i];
    }
  }
  return result;
}

void refuse_time(ComparisonCase& c) {
  c.outcome = Outcome::skipped;
  c.detail = kNoTime;
}

void align_devices(ComparisonInput& base, ComparisonInput& test) {
  take_names(base, test);
  take_names(test, base);
}

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
