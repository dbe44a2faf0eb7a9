// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "harness/judge/foreign_input.h"

namespace alsbench {
namespace {

// A value of a run: seconds, or a number in the benchmark's unit.
double value_of(const JsonField& json, const ComparisonCase& c) {
  const double value = number_of(json, c.name);
  if (c.quantity.is_time()) return json.as_time(value);
  if (!(value > 0)) json.fail("is no number above 0");
  return value;
}

Quantity quantity_of(const std::string& unit) {
  return {.unit = unit.empty() || unit == "second" ? "" : unit};
}

// Of a benchmark, or where it has none that all benchmarks of the file share.
std::string metadata_of(const JsonField& benchmark, const JsonField& file, const char* key) {
  for (const JsonField& place : {benchmark, file})
    if (const auto metadata = place.find("metadata"))
      if (const std::string text = text_in(*metadata, key); !text.empty()) return text;
  return "";
}

void add_metadata(const JsonField& file, ComparisonInput& input) {
  const auto metadata = file.find("metadata");
  if (!metadata) return;
  for (const char* key : {"hostname", "cpu_model_name", "cpu_count"})
    if (const auto value = metadata->find(key))
      input.environment.push_back({key, text_or_json(*value)});
  for (const char* key : {"python_version", "python_implementation", "python_compiler",
                          "python_cflags", "perf_version", "cpu_affinity", "timer"})
    if (const auto value = metadata->find(key))
      input.environment.push_back({key, text_or_json(*value), StoryKind::method, false});
}

// The first date of all runs, which is of the local time; empty where no run has one.
std::string first_time(const JsonField& file) {
  std::string first;
  for (const JsonField& benchmark : file.at("benchmarks").elements())
    for (const JsonField& run : benchmark.at("runs").elements()) {
      const auto metadata = run.find("metadata");
      const std::string time =
          metadata ? utc_of(text_in(*metadata, "date"), WithoutZone::local) : std::string();
      if (!time.empty() && (first.empty() || time < first)) first = time;
    }
  return first;
}

ComparisonCase case_of(const JsonField& benchmark, const JsonField& file) {
  ComparisonCase c;
  c.name = metadata_of(benchmark, file, "name");
  if (c.name.empty()) benchmark.fail("has no name in its metadata");
  c.quantity = quantity_of(metadata_of(benchmark, file, "unit"));
  for (const JsonField& run : benchmark.at("runs").elements()) {
    const auto values = run.find("values");
    if (!values) continue;  // it found the number of loops
    std::vector<double> numbers;
    for (const JsonField& value : values->elements()) numbers.push_back(value_of(value, c));
    if (!numbers.empty()) c.launches.push_back(launch_of(std::move(numbers)));
  }
  if (c.launches.empty()) refuse_time(c);
  return c;
}

}  // namespace

ComparisonInput pyperf_input_of(const JsonField& json, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  add_metadata(json, input);
  for (const JsonField& benchmark : json.at("benchmarks").elements())
    input.cases.push_back(case_of(benchmark, json));
  if (const std::string first = first_time(json); !first.empty()) input.times_utc = {first};
  return input;
}

}  // namespace alsbench
