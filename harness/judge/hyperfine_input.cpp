// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "harness/judge/foreign_input.h"

namespace alsbench {
namespace {

// " n=1 m=2"; "" without parameters.
std::string parameters_of(const JsonField& result) {
  std::string text;
  if (const auto parameters = result.find("parameters"))
    for (const auto& [name, value] : parameters->members())
      text += fmt::format(" {}={}", name, text_or_json(value));
  return text;
}

struct Runs {
  std::vector<double> seconds;
  std::string statistic;
  std::set<std::string> ends;
};

Runs runs_of(const JsonField& result, const std::string& name) {
  Runs runs;
  if (const auto codes = result.find("exit_codes"))
    for (const JsonField& code : codes->elements())
      runs.ends.insert(code.is_null() ? "a signal" : fmt::format("exit code {}", code.integer()));
  if (const auto times = result.find("times")) {
    for (const JsonField& time : times->elements())
      runs.seconds.push_back(seconds_or_0(time, name));
    return runs;
  }
  const bool has_median = result.find("median").has_value();
  if (!has_median) runs.statistic = kMean;
  runs.seconds.push_back(seconds_or_0(result.at(has_median ? "median" : kMean), name));
  return runs;
}

ComparisonCase case_of(const std::string& name, Runs runs) {
  ComparisonCase c;
  c.name = name;
  c.ends = std::move(runs.ends);
  c.quantity.statistic = runs.statistic;
  if (runs.seconds.empty()) {
    refuse_time(c);
    return c;
  }
  const Launch launch = launch_of(std::move(runs.seconds));
  if (launch.seconds > 0)
    c.launches = {launch};
  else
    // The start of the shell is subtracted.
    refuse_time(c, "it took no longer than its shell; hyperfine -N starts it without one");
  return c;
}

}  // namespace

ComparisonInput hyperfine_input_of(const JsonField& json, const std::string& source) {
  const std::vector<JsonField> results = json.at("results").elements();
  std::map<std::string, int> named;
  for (const JsonField& result : results) ++named[result.at("command").text()];
  ComparisonInput input;
  input.source = source;
  for (const JsonField& result : results) {
    std::string name = result.at("command").text();
    if (named[name] > 1) name += parameters_of(result);
    input.cases.push_back(case_of(name, runs_of(result, name)));
  }
  return input;
}

}  // namespace alsbench
