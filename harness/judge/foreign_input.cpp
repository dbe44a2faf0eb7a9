// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/foreign_input.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <set>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "base/median.h"
#include "harness/record/escape.h"

namespace alsbench {
namespace {

constexpr std::string_view kNoTime = "the file has no time of it above 0";
constexpr std::array<std::string_view, 4> kBareNumbers{"NaN", "-NaN", "Infinity", "-Infinity"};

bool has(const Json& json, const char* key, bool (Json::*is)() const noexcept) {
  return json.is_object() && json.contains(key) && (json[key].*is)();
}

// By its content; nothing where it is of no tool.
std::optional<ForeignFormat> format_of(const Json& json) {
  if (has(json, "results", &Json::is_array) && !json.contains("kind"))
    return ForeignFormat::hyperfine;
  if (!has(json, "benchmarks", &Json::is_array)) return std::nullopt;
  if (has(json, "context", &Json::is_object)) return ForeignFormat::google_benchmark;
  if (has(json, "devices", &Json::is_array) || has(json, "meta", &Json::is_object))
    return ForeignFormat::nvbench;
  if (has(json, "machine_info", &Json::is_object)) return ForeignFormat::pytest_benchmark;
  if (has(json, "version", &Json::is_string)) return ForeignFormat::pyperf;
  return std::nullopt;
}

ComparisonInput input_of(const JsonField& json, const std::string& source, ForeignFormat format,
                         const ForeignReader& reader) {
  switch (format) {
    case ForeignFormat::google_benchmark:
      return gbench_input_of(json, source);
    case ForeignFormat::nvbench:
      return nvbench_input_of(json, source, reader.folder);
    case ForeignFormat::pyperf:
      return pyperf_input_of(json, source);
    case ForeignFormat::pytest_benchmark:
      return pytest_input_of(json, source);
    case ForeignFormat::hyperfine:
      return hyperfine_input_of(json, source);
    case ForeignFormat::json:
      break;
  }
  return values_input_of(json, source, reader.values);
}

// Two benchmarks of one name could not be told apart.
void refuse_twins(const ComparisonInput& input) {
  std::set<std::string> names;
  for (const ComparisonCase& c : input.cases)
    if (!names.insert(c.name).second)
      throw UsageError(fmt::format(
          "{}: has two benchmarks named '{}' ({} JSON); give each a name of its own{}",
          input.source, visible(c.name), input.format,
          input.format == name_of(ForeignFormat::json) ? ", and each place one --value" : ""));
}

ComparisonInput read(const Json& json, const std::string& source, ForeignFormat format,
                     const ForeignReader& reader) {
  ComparisonInput input = read_written(json, source, [&](const JsonField& fields) {
    return input_of(fields, source, format, reader);
  });
  input.format = name_of(format);
  refuse_twins(input);
  const auto timeless = [](const ComparisonCase& c) {
    return c.outcome == Outcome::skipped && c.detail.starts_with(kNoTime);
  };
  if (!std::ranges::all_of(input.cases, timeless)) return input;
  if (input.cases.empty() && reader.may_be_empty) return input;
  if (input.cases.empty())
    throw UsageError(fmt::format("{}: holds no benchmark ({} JSON)", source, input.format));
  const ComparisonCase& first = input.cases.front();
  throw UsageError(fmt::format("{}: holds no benchmark with a time ({} JSON); of '{}' {}", source,
                               input.format, visible(first.name), first.detail));
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
    const auto bare = std::ranges::find_if(
        kBareNumbers, [&](std::string_view word) { return !quoted && rest.starts_with(word); });
    if (bare != kBareNumbers.end()) {
      result += fmt::format("\"{}\"", *bare);
      i += bare->size() - 1;
    } else if (i < text.size()) {
      result += text[i];
    }
  }
  return result;
}

std::optional<double> seconds_of_unit(std::string_view unit) {
  constexpr std::array<std::pair<std::string_view, double>, 4> kUnits{
      {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}}};
  for (const auto& [name, seconds] : kUnits)
    if (name == unit) return seconds;
  return std::nullopt;
}

Launch launch_of(std::vector<double> costs) {
  const auto samples = static_cast<int64_t>(costs.size());
  return {median(std::move(costs)), samples};
}

Launch joined(const std::vector<Launch>& launches) {
  std::vector<double> costs;
  int64_t samples = 0;
  for (const Launch& launch : launches) {
    costs.push_back(launch.seconds);
    samples += launch.samples;
  }
  return {median(std::move(costs)), samples};
}

void refuse_time(ComparisonCase& c, const std::string& where) {
  c.outcome = Outcome::skipped;
  c.detail = kNoTime;
  if (!where.empty()) c.detail += ": " + where;
}

double number_of(const JsonField& json, const std::string& benchmark) {
  const Json& value = json.value();
  if (value.is_number() && std::isfinite(value.get<double>())) return value.get<double>();
  constexpr size_t kLongest = 60;
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  json.fail(
      fmt::format("a value of '{}' is {}, which is no number; measure it again, or leave it out",
                  benchmark, text.substr(0, kLongest)));
}

double seconds_or_0(const JsonField& time, const std::string& benchmark) {
  const double value = number_of(time, benchmark);
  return value == 0 ? 0 : time.as_time(value);
}

void align_devices(ComparisonInput& base, ComparisonInput& test) {
  take_names(base, test);
  take_names(test, base);
}

std::optional<ComparisonInput> foreign_input_of(const Json& json, const std::string& source,
                                                const ForeignReader& reader) {
  const auto format = reader.format ? reader.format : format_of(json);
  if (!format) return std::nullopt;
  if (format == ForeignFormat::json) require_values(json, source, reader.values);
  return read(json, source, *format, reader);
}

std::string utc_of(const std::string& date, WithoutZone without) {
  constexpr size_t kDay = 10;  // letters of "2026-12-31"
  std::string text = date;
  if (text.size() > kDay && text[kDay] == ' ') text[kDay] = 'T';
  std::tm time{};
  std::istringstream stream(text);
  if (!(stream >> std::get_time(&time, "%Y-%m-%dT%H:%M:%S"))) return "";
  if (stream.peek() == '.') {  // a fraction of a second
    stream.get();
    while (std::isdigit(stream.peek()) != 0) stream.get();
  }
  char sign = 0, colon = 0;
  int hours = 0, minutes = 0;
  stream >> sign;
  if (sign == 0 && without == WithoutZone::unknown) return "";
  if (sign != 0 && sign != 'Z' && !(stream >> hours >> colon >> minutes)) return "";
  const int offset = (hours * 60 + minutes) * 60;
  time.tm_isdst = -1;
  const bool local = sign == 0 && without == WithoutZone::local;
  const std::time_t seconds =
      (local ? std::mktime(&time) : timegm(&time)) - (sign == '-' ? -offset : offset);
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(seconds));
}

std::string text_or_json(const JsonField& json) {
  return json.value().is_string() ? json.text() : json.value().dump();
}

std::string text_in(const JsonField& json, const char* key) {
  return optional_text(json.find(key)).value_or("");
}

}  // namespace alsbench
