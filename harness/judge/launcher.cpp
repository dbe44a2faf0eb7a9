// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/launcher.h"

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"

namespace alsbench {
namespace {

std::vector<LaunchCase> medians_of(const ComparisonInput& input) {
  std::vector<LaunchCase> cases;
  for (const ComparisonCase& c : input.cases) {
    LaunchCase& kept = cases.emplace_back();
    kept.name = c.name;
    kept.outcome = c.outcome;
    if (c.outcome != Outcome::ok || c.launches.empty()) continue;
    const double cost = c.launches[0].seconds;
    if (c.quantity.is_time())
      kept.median_seconds = cost;
    else
      kept.median_value = c.quantity.value_of(cost);
    kept.samples = c.launches[0].samples;
  }
  return cases;
}

}  // namespace

void blame(Build build, const std::string& message) {
  if (build == Build::base) throw BaselineError(message);
  throw UsageError(message);
}

Launcher::Launcher(LaunchSettings settings) : settings_(settings), start_(steady_seconds()) {}

double Launcher::seconds() const { return steady_seconds() - start_; }

FinishedProgram Launcher::run(const std::vector<std::string>& words) const {
  return run_program(words, settings_.interrupted, settings_.limits);
}

ComparisonInput Launcher::take(const LaunchPlace& place, const std::vector<std::string>& names) {
  if (listener_.on_launch) listener_.on_launch(place, names.size());
  const double begin = seconds();
  ComparisonInput input = measure(place, names);
  launches_.push_back(
      {place.index, place.phase, place.build, begin, seconds() - begin, medians_of(input)});
  if (listener_.on_launched)
    listener_.on_launched(fmt::format("launch {}: {}, {}, {} cases, {:.1f} s", place.index + 1,
                                      name_of(place.phase), name_of(place.build),
                                      launches_.back().cases.size(), seconds() - begin));
  return input;
}

}  // namespace alsbench
