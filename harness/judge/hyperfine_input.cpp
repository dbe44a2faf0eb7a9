// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>

#include "harness/judge/foreign_input.h"

namespace alsbench {
namespace {

// " n=1 m=2"; "" without parameters.
std::string parameters_of(const JsonField& result) {
  std::string text;
  if (const auto parameters = result.find("parameters"))
    for (const auto& [name, value] : parameters->members())
      text += fmt::format(" {}={}", name,
                          value.value().is_string() ? value.text() : value.value().dump());
  return text;
}

double seconds_of(const JsonField& time, const std::string& name) {
  return time.as_time(number_of(time, name));
}

void add_times(const JsonField& result, const std::string& name, std::vector<double>& seconds) {
  if (const auto times = result.find("times")) {
    for (const JsonField& time : times->elements()) seconds.push_back(seconds_of(time, name));
    return;
  }
  seconds.push_back(seconds_of(result.at(result.find("median") ? "median" : "mean"), name));
}

}  // namespace

ComparisonInput hyperfine_input_of(const JsonField& json, const std::string& source) {
  const std::vector<JsonField> results = json.at("results").elements();
  std::map<std::string, int> named;
  for (const JsonField& result : results) ++named[result.at("command").text()];
  std::vector<std::string> order;
  std::map<std::string, std::vector<double>> times;  // by name
  for (const JsonField& result : results) {
    std::string name = result.at("command").text();
    if (named[name] > 1) name += parameters_of(result);
    if (!times.contains(name)) order.push_back(name);
    add_times(result, name, times[name]);
  }
  ComparisonInput input;
  input.source = source;
  for (const std::string& name : order) {
    ComparisonCase& c = input.cases.emplace_back();
    c.name = name;
    if (!times[name].empty())
      c.launches = {launch_of(std::move(times[name]))};
    else
      refuse_time(c);
  }
  return input;
}

}  // namespace alsbench
