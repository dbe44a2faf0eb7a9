// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <vector>

#include "base/error.h"
#include "harness/judge/foreign_input.h"
#include "harness/judge/statistics.h"
#include "harness/record/export/export.h"

namespace alsbench {
namespace {

// BigO and RMS, which fit a curve to the times of other rows and have none.
bool is_fit(const JsonField& entry) {
  const std::string aggregate = text_in(entry, "aggregate_name");
  return aggregate == "BigO" || aggregate == "RMS" || entry.find("big_o") || entry.find("rms");
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

// The statistics that every version makes of repetitions.
constexpr std::array<std::string_view, 3> kStatistics{"mean", "median", "stddev"};

// The benchmark that a row is of, and the statistic that it is of its repetitions.
struct RowName {
  std::string benchmark = {};
  std::optional<std::string> statistic = {};
};

// Up to 1.4 only the name of a row tells that it is a statistic: `names` has the benchmark's, too,
// or those of all of its statistics.
RowName row_name_of_old(const std::string& name, const std::set<std::string>& names) {
  for (const std::string_view statistic : kStatistics) {
    const std::string ending = fmt::format("_{}", statistic);
    if (!name.ends_with(ending)) continue;
    const std::string benchmark = name.substr(0, name.size() - ending.size());
    if (names.contains(benchmark) || std::ranges::all_of(kStatistics, [&](std::string_view other) {
          return names.contains(fmt::format("{}_{}", benchmark, other));
        }))
      return {benchmark, std::string(statistic)};
  }
  return {name};
}

RowName row_name_of(const JsonField& entry, const std::set<std::string>& names) {
  const auto run = entry.find("run_name");
  const std::string name = run ? run->text() : entry.at("name").text();
  const std::string type = text_in(entry, "run_type");
  if (type == "aggregate") return {name, text_in(entry, "aggregate_name")};
  return type.empty() && !run ? row_name_of_old(name, names) : RowName{name};
}

std::set<std::string> names_in(const std::vector<JsonField>& entries) {
  std::set<std::string> names;
  for (const JsonField& entry : entries) names.insert(text_in(entry, "name"));
  return names;
}

// State of one benchmark so far.
struct Family {
  ComparisonCase c;
  std::vector<double> iterations;
  double median = 0, mean = 0;  // its aggregates; 0: none
  bool is_ours = false;         // to_gbench wrote it, and its label
  std::string refused;          // the place of a time that is not above 0
  std::string registered;       // as the file numbers benchmarks; empty where it does not
};

// Nothing where the time is not above 0: the benchmark was not timed, or skipped its work.
std::optional<double> seconds_of(const JsonField& entry, Family& family) {
  const std::string unit = optional_text(entry.find("time_unit")).value_or("ns");
  const auto seconds = seconds_of_unit(unit);
  if (!seconds)
    entry.at("time_unit")
        .fail(fmt::format("has the unknown value '{}'; use s, ms, us or ns", unit));
  const JsonField time = entry.at("real_time");
  const double value = number_of(time, family.c.name);
  if (value > 0) return time.time(*seconds);
  family.refused = fmt::format("{} is {}", time.place(), value);
  return std::nullopt;
}

// Which of the program's benchmarks an entry is of, whatever its name.
std::string registration_of(const JsonField& entry) {
  const auto family = entry.find("family_index");
  const auto instance = entry.find("per_family_instance_index");
  if (!family || !instance) return "";
  return family->value().dump() + "/" + instance->value().dump();
}

bool is_ours(const JsonField& context) {
  const auto members = context.members();
  return std::ranges::any_of(
      members, [](const auto& member) { return member.first.starts_with(kContextPrefix); });
}

Launch launch_of_family(Family& family) {
  if (!family.iterations.empty()) return launch_of(family.iterations);
  if (family.median > 0) return {family.median, 1};
  family.c.quantity.statistic = kMean;
  return {family.mean, 1};
}

void add_entry(const JsonField& entry, const std::optional<std::string>& statistic,
               Family& family) {
  const auto error = entry.find("error_occurred");
  const bool skipped = entry.find("skipped").has_value();
  if (skipped || (error && error->boolean())) {
    family.c.outcome = skipped ? Outcome::skipped : Outcome::crashed;
    family.c.detail =
        text_in(entry, entry.find("error_message") ? "error_message" : "skip_message");
    return;
  }
  if (family.is_ours) read_label(entry, family.c);
  if (!statistic) {
    family.iterations.push_back(seconds_of(entry, family).value_or(0));
    return;
  }
  if (statistic == "median") family.median = seconds_of(entry, family).value_or(0);
  if (statistic == "mean") family.mean = seconds_of(entry, family).value_or(0);
}

// Keys of Google Benchmark that differ from launch to launch, or count above. Others say how a
// program was run, also those of benchmark::AddCustomContext and of --benchmark_context.
constexpr std::array<std::string_view, 9> kOtherKeys{
    "date",   "host_name", "executable",         "num_cpus",           "mhz_per_cpu",
    "caches", "load_avg",  "library_build_type", "json_schema_version"};

// Properties that must agree for times to be comparable, and others that are told.
void add_environment(const JsonField& context, ComparisonInput& input) {
  for (const auto& [key, value] : context.members()) {
    const bool counts = key == "num_cpus" || key == "library_build_type" ||
                        (key == "host_name" && !is_ours(context));
    const bool text = value.value().is_string();
    if (text && value.text().empty()) continue;
    const std::string own =
        key.starts_with(kContextPrefix) ? key.substr(kContextPrefix.size()) : "";
    if (!own.empty() && text)
      input.environment.push_back(
          {own, value.text(), own == "suite" ? StoryKind::method : StoryKind::machine});
    else if (counts)
      input.environment.push_back(
          {key, text ? value.text() : value.value().dump(),
           key == "library_build_type" ? StoryKind::method : StoryKind::machine});
    else if (own.empty() && std::ranges::find(kOtherKeys, key) == kOtherKeys.end())
      input.environment.push_back(
          {key, text ? value.text() : value.value().dump(),
           key == "cpu_scaling_enabled" ? StoryKind::machine : StoryKind::method, false});
  }
}

}  // namespace

ComparisonInput gbench_input_of(const JsonField& json, const std::string& source) {
  ComparisonInput input;
  input.source = source;
  add_environment(json.at("context"), input);
  const std::string time = utc_of(text_in(json.at("context"), "date"));
  if (!time.empty()) input.times_utc = {time};
  std::vector<Family> families;
  std::map<std::string, size_t> index;
  const bool ours = is_ours(json.at("context"));
  const std::vector<JsonField> entries = json.at("benchmarks").elements();
  const std::set<std::string> names = names_in(entries);
  for (const JsonField& entry : entries) {
    if (is_fit(entry)) continue;
    const auto [name, statistic] = row_name_of(entry, names);
    const std::string registered = registration_of(entry);
    const auto [found, added] = index.try_emplace(name, families.size());
    // Two benchmarks of one name stay two cases, which are refused.
    if (!added && families[found->second].registered != registered && !registered.empty())
      found->second = families.size();
    if (found->second == families.size()) {
      families.emplace_back().c.name = name;
      families.back().is_ours = ours;
      families.back().registered = registered;
    }
    add_entry(entry, statistic, families[found->second]);
  }
  for (Family& family : families) {
    ComparisonCase& c = family.c;
    if (const Launch launch = launch_of_family(family);
        c.outcome == Outcome::ok && launch.seconds > 0)
      c.launches.push_back(launch);
    else if (c.outcome == Outcome::ok)
      refuse_time(c, family.refused);
    input.cases.push_back(std::move(c));
  }
  return input;
}

}  // namespace alsbench
