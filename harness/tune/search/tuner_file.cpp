// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/tuner_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "harness/files/regular_expression.h"
#include "harness/files/strict_json.h"

namespace alsbench {
namespace {

constexpr double kMillisecond = 1e-3;
constexpr double kNoTime =
    1e20;  // from it on, what older versions of kernel_tuner write of a failure

// Units of T4's "timeunit", with the spelling that kernel_tuner writes.
constexpr std::array<std::pair<std::string_view, double>, 12> kUnits{{{"miliseconds", 1e-3},
                                                                      {"milliseconds", 1e-3},
                                                                      {"ms", 1e-3},
                                                                      {"seconds", 1},
                                                                      {"s", 1},
                                                                      {"microseconds", 1e-6},
                                                                      {"us", 1e-6},
                                                                      {"nanoseconds", 1e-9},
                                                                      {"ns", 1e-9},
                                                                      {"Milliseconds", 1e-3},
                                                                      {"Microseconds", 1e-6},
                                                                      {"Nanoseconds", 1e-9}}};

// Words in the place of a time: kernel_tuner's, and numbers that are none.
constexpr std::array<std::pair<std::string_view, Outcome>, 6> kNoTimes{
    {{"InvalidConfig", Outcome::skipped},
     {"CompilationFailedConfig", Outcome::compile_error},
     {"RuntimeFailedConfig", Outcome::crashed},
     {"Infinity", Outcome::crashed},
     {"-Infinity", Outcome::crashed},
     {"NaN", Outcome::crashed}}};

constexpr std::array<std::pair<std::string_view, Outcome>, 6> kInvalidities{
    {{"correct", Outcome::ok},
     {"compile", Outcome::compile_error},
     {"runtime", Outcome::crashed},
     {"constraints", Outcome::skipped},
     {"correctness", Outcome::wrong},
     {"timeout", Outcome::hung}}};

template <class Value, size_t N>
std::optional<Value> found_in(const std::array<std::pair<std::string_view, Value>, N>& table,
                              std::string_view word) {
  for (const auto& [name, value] : table)
    if (name == word) return value;
  return std::nullopt;
}

// JSON of what Python's json module writes and reads: NaN, Infinity and -Infinity become texts.
std::string standard_json(const std::string& text) {
  std::string result;
  result.reserve(text.size());
  bool quoted = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (letter == '"') quoted = !quoted;
    if (quoted && letter == '\\' && i + 1 < text.size()) result += text[i++];
    const std::string_view rest = std::string_view(text).substr(i, 9);
    std::string_view word;
    for (const std::string_view number : {"-Infinity", "Infinity", "NaN"})
      if (!quoted && rest.starts_with(number)) word = number;
    if (word.empty()) {
      result += text[i];
    } else {
      result += fmt::format("\"{}\"", word);
      i += word.size() - 1;
    }
  }
  return result;
}

// kernel_tuner appends to a cache file as it measures, and closes it at the end.
std::string closed(std::string text) {
  const size_t last = text.find_last_not_of(" \t\r\n");
  if (last == std::string::npos || text[last] != ',') return text;
  return text.substr(0, last) + "}}";
}

struct ReadPoint {
  SearchPoint point;
  Evaluation evaluation;
};

std::string value_text(const JsonField& json) {
  if (json.value().is_string()) return json.text();
  if (json.value().is_boolean()) return json.boolean() ? "True" : "False";
  if (!json.value().is_number()) json.fail("is no value of a parameter; write a number or a text");
  return json.value().dump();
}

// A number above 0, or a word for a configuration that failed.
void read_time(const JsonField& json, double unit, Evaluation& evaluation) {
  if (json.value().is_number() && json.number() < kNoTime) {
    evaluation.seconds = {json.time(unit)};
    return;
  }
  const bool none = json.is_null() || json.value().is_number();
  const std::string word = none ? "NaN" : json.value().is_string() ? json.text() : "";
  const auto outcome = found_in(kNoTimes, word);
  if (!outcome)
    json.fail(
        fmt::format("is no time: {}; write a number, or InvalidConfig, "
                    "CompilationFailedConfig or RuntimeFailedConfig",
                    json.value().dump().substr(0, 60)));
  evaluation.outcome = *outcome;
  evaluation.detail = none ? "has no time" : word;
}

// Seconds that something took, of a member that may be absent or a failure's text.
double cost(const JsonField& json, std::string_view name, double unit) {
  const std::optional<JsonField> member = json.find(name);
  if (!member || !member->value().is_number()) return 0;
  const double value = member->number() * unit;
  return std::isfinite(value) && value > 0 ? value : 0;
}

// Of a text, or of a list of texts.
void check_objective(const JsonField& json) {
  if (json.value().is_array()) {
    for (const JsonField& objective : json.elements()) check_objective(objective);
    return;
  }
  if (json.text() != "time")
    json.fail(
        fmt::format("is '{}'; alsbench minimises times: record the objective 'time'", json.text()));
}

ReadPoint cached_point(const JsonField& entry, const std::vector<std::string>& names) {
  ReadPoint read;
  for (const std::string& name : names) read.point.config.set(name, value_text(entry.at(name)));
  // kernel_tuner 1.5.0 writes a failure in a member of its own, without a time.
  const auto error = entry.find("__error__");
  read_time(error ? *error : entry.at("time"), kMillisecond, read.evaluation);
  Evaluation& evaluation = read.evaluation;
  evaluation.wait_seconds = evaluation.compile_seconds = cost(entry, "compile_time", kMillisecond);
  evaluation.verify_seconds = cost(entry, "verification_time", kMillisecond);
  evaluation.prepare_seconds =
      evaluation.verify_seconds + cost(entry, "framework_time", kMillisecond);
  evaluation.measure_seconds = cost(entry, "benchmark_time", kMillisecond);
  return read;
}

// Of a file that has one: another major version may mean other things by the same words.
void check_version(const JsonField& document) {
  const std::optional<JsonField> version = document.find("schema_version");
  if (!version) return;
  static const RegularExpression known(R"(1\.\d+\.\d+)");
  if (version->value().is_string() && known.matches(version->text())) return;
  version->fail(
      fmt::format("is {}, which alsbench does not know; convert the file to version 1.0.0",
                  version->value().dump().substr(0, 60)));
}

// Seconds of a unit that is named; `otherwise` where none is.
double unit_of(const std::optional<JsonField>& unit, double otherwise) {
  if (!unit || unit->text().empty()) return otherwise;
  const auto known = found_in(kUnits, unit->text());
  if (!known)
    unit->fail(
        fmt::format("is no unit of time: '{}'; write seconds, milliseconds, microseconds or "
                    "nanoseconds",
                    unit->text()));
  return *known;
}

double unit_of_times(const JsonField& document) {
  const std::optional<JsonField> metadata = document.find("metadata");
  return unit_of(metadata ? metadata->find("timeunit") : std::optional<JsonField>(), kMillisecond);
}

void read_measurement(const JsonField& result, double unit, Evaluation& evaluation) {
  for (const JsonField& measurement : result.at("measurements").elements()) {
    if (measurement.at("name").text() != "time") continue;
    return read_time(measurement.at("value"), unit_of(measurement.find("unit"), unit), evaluation);
  }
  result.at("measurements").fail("has no entry named 'time', the objective that is minimised");
}

// Tools that compare outputs say so beside the invalidity, which then is that of running.
bool is_incorrect(const JsonField& result) {
  const auto correctness = result.find("correctness");
  return correctness && (correctness->value() == 0 || correctness->value() == false);
}

ReadPoint t4_point(const JsonField& result, double unit) {
  ReadPoint read;
  for (const auto& [name, value] : result.at("configuration").members())
    if (name == "variant")
      read.point.variant_name = value_text(value);
    else
      read.point.config.set(name, value_text(value));
  if (const auto objectives = result.find("objectives")) check_objective(*objectives);
  Evaluation& evaluation = read.evaluation;
  const Outcome outcome = result.at("invalidity").word([](const std::string& word) {
    return found_in(kInvalidities, word);
  });
  if (outcome == Outcome::ok && is_incorrect(result)) {
    evaluation.outcome = Outcome::wrong;
    evaluation.detail = "its correctness is 0";
  } else if (outcome == Outcome::ok) {
    read_measurement(result, unit, evaluation);
  } else {  // may have no time
    evaluation.outcome = outcome;
    evaluation.detail = result.at("invalidity").text();
  }
  if (const auto times = result.find("times")) {
    const double compilation = cost(*times, "compilation", unit);  // kernel_tuner's word
    evaluation.wait_seconds = evaluation.compile_seconds =
        compilation > 0 ? compilation : cost(*times, "compilation_time", unit);
    evaluation.verify_seconds = cost(*times, "validation", unit);
    evaluation.prepare_seconds = evaluation.verify_seconds + cost(*times, "framework", unit);
    if (const auto runtimes = times->find("runtimes"))
      for (const JsonField& runtime : runtimes->elements())
        if (runtime.value().is_number()) evaluation.measure_seconds += runtime.number() * unit;
  }
  return read;
}

// The text of the point whose values are the nearest to the middle of their dimensions.
std::string middle_of(const SearchSpace& space) {
  size_t middle = 0;
  double minimum = std::numeric_limits<double>::infinity();
  for (size_t p = 0; p < space.size(); ++p) {
    double distance = 0;
    for (size_t d = 0; d < space.dimensions().size(); ++d) {
      const Dimension& dimension = space.dimensions()[d];
      const auto last = static_cast<double>(dimension.values.size() - 1);
      if (dimension.ordered) distance += std::abs(space[p].coordinates[d] / last - 0.5);
    }
    if (distance >= minimum) continue;
    minimum = distance;
    middle = p;
  }
  return space[middle].text();
}

Recording recording_of(const std::vector<ReadPoint>& read) {
  Recording recording;
  std::vector<SearchPoint> points;
  std::map<std::string, size_t> index;
  for (const ReadPoint& one : read) {
    const auto [entry, added] = index.try_emplace(one.point.text(), points.size());
    Evaluation evaluation = one.evaluation;
    evaluation.point = entry->second;
    recording.evaluations.push_back(evaluation);
    if (added) points.push_back(one.point);
  }
  recording.evaluations = joined(recording.evaluations);
  const SearchSpace space(points, "");
  recording.space = SearchSpace(std::move(points), middle_of(space));
  return recording;
}

Recording recording_of_cache(const JsonField& document) {
  check_version(document);
  if (const auto objective = document.find("objective")) check_objective(*objective);
  const std::vector<std::string> names = document.at("tune_params_keys").texts();
  std::vector<ReadPoint> points;
  for (const auto& [key, entry] : document.at("cache").members())
    points.push_back(cached_point(entry, names));
  if (points.empty()) document.at("cache").fail("has no configuration to replay");
  Recording recording = recording_of(points);
  if (const auto name = document.find("kernel_name")) recording.head.search.stage = name->text();
  if (const auto device = document.find("device_name"))
    recording.head.search.device = device->text();
  return recording;
}

// Rows of a variant have the same parameters: another tool left one out, or misspelt it.
void check_parameters(const JsonField& results, const std::vector<ReadPoint>& points) {
  std::map<std::string, std::map<std::string, size_t>> first;  // of each variant: name, its row
  for (size_t i = 0; i < points.size(); ++i)
    for (const auto& [name, value] : points[i].point.config.entries())
      first[points[i].point.variant_name].try_emplace(name, i);
  const std::vector<JsonField> rows = results.elements();
  for (size_t i = 0; i < points.size(); ++i) {
    const JsonField configuration = rows[i].at("configuration");
    const auto& names = first[points[i].point.variant_name];
    if (names.empty() && points[i].point.variant_name.empty())
      configuration.fail("has no parameters; write a value of each");
    for (const auto& [name, row] : names)
      if (!points[i].point.config.has(name))
        configuration.fail(fmt::format(
            "is {}, without the parameter '{}' that {} has; add its value, or leave the row out",
            configuration.value().dump().substr(0, 120), name, rows[row].place()));
  }
}

Recording recording_of_t4(const JsonField& document) {
  check_version(document);
  const double unit = unit_of_times(document);
  const JsonField results = document.at("results");
  std::vector<ReadPoint> points;
  for (const JsonField& result : results.elements()) points.push_back(t4_point(result, unit));
  if (points.empty()) results.fail("has no configuration to replay");
  check_parameters(results, points);
  return recording_of(points);
}

}  // namespace

bool is_tuner_file(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{';
}

Recording read_tuner_file(const std::string& text, const std::string& source) {
  const Json json = parse_json(closed(standard_json(text)), source);
  return read_document(json, source, [&](const JsonField& document) {
    if (document.member("cache")) return recording_of_cache(document);
    if (document.member("results")) return recording_of_t4(document);
    if (document.member("ConfigurationSpace"))
      document.fail(
          "is a space in T1, without measurements; name it with --space, and the results "
          "in its place");
    document.fail("is no recording; name a journal, a cache file of kernel_tuner or results in T4");
  });
}

}  // namespace alsbench
