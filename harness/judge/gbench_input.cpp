// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "base/error.h"
#include "base/median.h"
#include "harness/judge/foreign_input.h"
#include "harness/judge/statistics.h"
#include "harness/record/escape.h"
#include "harness/record/export/export.h"

namespace alsbench {
namespace {

double seconds_of(const JsonField& entry) {
  static const std::map<std::string, double> kUnits{
      {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
  const std::string unit = optional_text(entry.find("time_unit")).value_or("ns");
  const auto found = kUnits.find(unit);
  if (found == kUnits.end())
    entry.at("time_unit")
        .fail(fmt::format("has the unknown value '{}'; use s, ms, us or ns", unit));
  return entry.at("real_time").time(found->second);
}

// The label that to_gbench writes of a case: "device=0 ceiling=copy/memcpy/cuda/cold".
void read_label(const JsonField& entry, ComparisonCase& c) {
  std::istringstream words(text_in(entry, "label"));
  for (std::string word; words >> word;) {
    if (word.starts_with(kDeviceLabel)) c.device = word.substr(kDeviceLabel.size());
    if (!word.starts_with(kCeilingLabel)) continue;
    c.role = CaseRole::control;
    c.kind = word.substr(kCeilingLabel.size());
  }
}

// State of one benchmark so far.
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

void add_entry(const JsonField& entry, Family& family) {
  const auto error = entry.find("error_occurred");
  const bool skipped = entry.find("skipped").has_value();
  if (skipped || (error && error->boolean())) {
    family.c.outcome = skipped ? Outcome::skipped : Outcome::crashed;
    family.c.detail =
        text_in(entry, entry.find("error_message") ? "error_message" : "skip_message");
    return;
  }
  read_label(entry, family.c);
  if (text_in(entry, "run_type") != "aggregate") {
    family.iterations.push_back(seconds_of(entry));
    return;
  }
  const std::string aggregate = text_in(entry, "aggregate_name");
  if (aggregate == "median") family.median = seconds_of(entry);
  if (aggregate == "mean") family.mean = seconds_of(entry);
}

// Properties that must agree for times to be comparable.
void add_environment(const JsonField& context, ComparisonInput& input) {
  for (const auto& [key, value] : context.members()) {
    const bool counts = key == "num_cpus" || key == "library_build_type";
    const bool text = value.value().is_string();
    if (key.starts_with(kContextPrefix) && text)
      input.environment.emplace_back(key.substr(kContextPrefix.size()), value.text());
    else if (counts)
      input.environment.emplace_back(key, text ? value.text() : value.value().dump());
  }
}

}  // namespace

ComparisonInput gbench_input_of(const JsonField& json, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  input.format = "google-benchmark";
  add_environment(json.at("context"), input);
  std::vector<Family> families;
  std::map<std::string, size_t> index;
  for (const JsonField& entry : json.at("benchmarks").elements()) {
    const auto run = entry.find("run_name");
    const std::string name = run ? run->text() : entry.at("name").text();
    const auto [found, added] = index.try_emplace(name, families.size());
    if (added) families.emplace_back().c.name = name;
    add_entry(entry, families[found->second]);
  }
  for (Family& family : families) {
    ComparisonCase& c = family.c;
    if (c.outcome == Outcome::ok) {
      c.launches.push_back(launch_of(family));
      if (!(c.launches[0].seconds > 0))
        throw UsageError(fmt::format("benchmark '{}' has no time", visible(c.name)));
    }
    input.cases.push_back(std::move(c));
  }
  return input;
}

}  // namespace alsbench
