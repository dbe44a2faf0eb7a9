// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "harness/judge/foreign_input.h"

namespace alsbench {
namespace {

// Of the machine, which must agree, and of the way it was measured, which is told.
void add_properties(const JsonField& json, ComparisonInput& input) {
  const auto add = [&](const std::optional<JsonField>& value, const char* name, StoryKind story) {
    if (value)
      input.environment.push_back({name, text_or_json(*value), story, story == StoryKind::machine});
  };
  const JsonField machine = json.at("machine_info");
  add(machine.find("node"), "hostname", StoryKind::machine);
  if (const auto cpu = machine.find("cpu")) {
    add(cpu->find("brand_raw"), "cpu_model_name", StoryKind::machine);
    add(cpu->find("count"), "cpu_count", StoryKind::machine);
  }
  for (const char* key : {"python_version", "python_implementation", "python_compiler"})
    add(machine.find(key), key, StoryKind::method);
  add(json.find("version"), "version of pytest-benchmark", StoryKind::method);
}

ComparisonCase case_of(const JsonField& benchmark) {
  ComparisonCase c;
  c.name = benchmark.at(benchmark.find("fullname") ? "fullname" : "name").text();
  const JsonField stats = benchmark.at("stats");
  std::vector<double> seconds;
  if (const auto data = stats.find("data"))
    for (const JsonField& time : data->elements()) seconds.push_back(seconds_or_0(time, c.name));
  if (seconds.empty()) seconds.push_back(seconds_or_0(stats.at("median"), c.name));
  const Launch launch = launch_of(std::move(seconds));
  if (launch.seconds > 0)
    c.launches = {launch};
  else
    refuse_time(c, "the median at " + stats.place() + " is 0");
  return c;
}

}  // namespace

ComparisonInput pytest_input_of(const JsonField& json, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  add_properties(json, input);
  // Until version 4 it is without a zone.
  if (const std::string time = utc_of(text_in(json, "datetime"), WithoutZone::utc); !time.empty())
    input.times_utc = {time};
  for (const JsonField& benchmark : json.at("benchmarks").elements())
    input.cases.push_back(case_of(benchmark));
  return input;
}

}  // namespace alsbench
