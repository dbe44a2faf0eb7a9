// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "harness/judge/foreign_input.h"
#include "harness/judge/statistics.h"
#include "harness/record/export/export.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

double seconds_of(const Json& entry, const std::string& source) {
  static const std::map<std::string, double> kUnits{
      {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  const std::string unit = entry.value("time_unit", "ns");
  const auto found = kUnits.find(unit);
  if (found == kUnits.end())
    throw UsageError(fmt::format("{}: benchmark '{}' has the unknown time_unit '{}'", source,
                                 entry.value("name", "?"), unit));
  return entry.at("real_time").get<double>() * found->second;
}

// What to_gbench says of a case in its label: "device=0 roof=copy/memcpy/cuda/cold".
void read_label(const Json& entry, ComparisonCase& c) {
  std::istringstream words(entry.value("label", ""));
  for (std::string word; words >> word;) {
    if (word.starts_with(kDeviceLabel)) c.device = word.substr(kDeviceLabel.size());
    if (!word.starts_with(kRoofLabel)) continue;
    c.role = CaseRole::canary;
    c.kind = word.substr(kRoofLabel.size());
  }
}

// What is known of one benchmark so far.
struct Family {
  ComparisonCase c;
  std::vector<double> iterations;
  double median = 0, mean = 0;  // its aggregates; 0: none
};

Launch launch_of(const Family& family) {
  if (!family.iterations.empty())
    return {median(family.iterations), static_cast<int64_t>(family.iterations.size())};
  return {family.median > 0 ? family.median : family.mean, 1};
}

void add_entry(const Json& entry, Family& family, const std::string& source) {
  if (entry.value("error_occurred", false) || entry.contains("skipped")) {
    family.c.outcome = entry.contains("skipped") ? Outcome::skipped : Outcome::crashed;
    family.c.detail = entry.value("error_message", entry.value("skip_message", ""));
    return;
  }
  read_label(entry, family.c);
  if (entry.value("run_type", "iteration") != "aggregate") {
    family.iterations.push_back(seconds_of(entry, source));
    return;
  }
  const std::string aggregate = entry.value("aggregate_name", "");
  if (aggregate == "median") family.median = seconds_of(entry, source);
  if (aggregate == "mean") family.mean = seconds_of(entry, source);
}

}  // namespace

ComparisonInput gbench_input_of(const Json& json, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  input.format = "google-benchmark";
  for (const auto& [key, value] : json.at("context").items()) {
    const bool counts = key == "num_cpus" || key == "library_build_type";
    if (key.starts_with(kContextPrefix) && value.is_string())
      input.environment.emplace_back(key.substr(kContextPrefix.size()), value);
    else if (counts)
      input.environment.emplace_back(key,
                                     value.is_string() ? value.get<std::string>() : value.dump());
  }
  std::vector<Family> families;
  std::map<std::string, size_t> index;
  for (const Json& entry : json.at("benchmarks")) {
    const std::string name = entry.contains("run_name") ? entry["run_name"] : entry.at("name");
    const auto [found, added] = index.try_emplace(name, families.size());
    if (added) families.emplace_back().c.name = name;
    add_entry(entry, families[found->second], source);
  }
  for (Family& family : families) {
    ComparisonCase& c = family.c;
    if (c.outcome == Outcome::ok) {
      c.launches.push_back(launch_of(family));
      if (!(c.launches[0].seconds > 0))
        throw UsageError(fmt::format("{}: benchmark '{}' has no time", source, c.name));
    }
    input.cases.push_back(std::move(c));
  }
  return input;
}

}  // namespace alsbench
