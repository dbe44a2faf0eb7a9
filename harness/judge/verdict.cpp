// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "base/median.h"
#include "harness/judge/statistics.h"

namespace alsbench {
namespace {

constexpr double kMaxPredictedLaunches = 1000;
// An adjusted p below alpha over this is certain enough whatever the size of the effect.
constexpr double kNoiseFactor = 10;

std::vector<double> logs_of(const std::vector<Launch>& launches) {
  std::vector<double> logs;
  logs.reserve(launches.size());
  for (const Launch& launch : launches) logs.push_back(std::log(launch.seconds));
  return logs;
}

double median_seconds(const std::vector<Launch>& launches) {
  std::vector<double> seconds;
  for (const Launch& launch : launches) seconds.push_back(launch.seconds);
  return seconds.empty() ? 0 : median(std::move(seconds));
}

int64_t disturbed_of(const std::vector<Launch>& launches) {
  return std::ranges::count_if(launches, [](const Launch& launch) { return launch.disturbed; });
}

// Distance between the effect and the bound, and the width of the interval, in logarithms.
double distance_to_bound(const CaseComparison& c, double bound) {
  return std::abs(std::log(c.ratio)) - bound;
}
double width_of_interval(const CaseComparison& c) {
  return std::log(c.ratio_high) - std::log(c.ratio_low);
}

// Whether noise that is larger than the bound cannot be what moved it. Without this, 4 in 1,000
// comparisons of equal builds on a noisy machine would call a case slower
// (tests/unit/judge/simulation_test.cpp).
bool clear_of_noise(const CaseComparison& c, const Rules& rules, double bound) {
  return c.adjusted_p < rules.alpha / kNoiseFactor ||
         distance_to_bound(c, bound) > width_of_interval(c);
}

// Launches of each side after which the interval, which narrows with their root, would be as wide
// as is wanted, did the effect stay where it is; 0 where that is too many to foresee, or no more
// than there are.
int64_t predicted_launches(const CaseComparison& c, double wanted_width) {
  const auto launches = static_cast<double>(std::min(c.base_launches, c.test_launches));
  const double needed = std::ceil(launches * std::pow(width_of_interval(c) / wanted_width, 2));
  return needed > launches && needed <= kMaxPredictedLaunches ? static_cast<int64_t>(needed) : 0;
}

void explain_undecided(CaseComparison& c, const Rules& rules, int64_t family, bool beyond) {
  if (c.too_few_launches) {
    c.launches_needed = launches_for_significance(rules.alpha, family);
    c.reason =
        fmt::format("{}{} + {} launches cannot tell at alpha {:.3g} among {} cases; {} + {} can",
                    c.plain_difference() ? "a plain difference: " : "", c.base_launches,
                    c.test_launches, rules.alpha, family, c.launches_needed, c.launches_needed);
    return;
  }
  const double distance = distance_to_bound(c, std::log1p(rules.bound));
  c.launches_needed = predicted_launches(c, beyond ? distance : 2 * std::abs(distance));
  c.reason = !beyond ? "the interval reaches across the bound"
             : c.adjusted_p < rules.alpha
                 ? "the effect is beyond the bound by less than its interval is wide"
                 : fmt::format("the adjusted p is not below alpha {:.3g}", rules.alpha);
  if (c.launches_needed > 0)
    c.reason +=
        fmt::format("; about {} + {} launches would tell", c.launches_needed, c.launches_needed);
}

void judge_time(CaseComparison& c, const Rules& rules, int64_t family) {
  const double bound = std::log1p(rules.bound);
  const double low = std::log(c.ratio_low), high = std::log(c.ratio_high);
  const bool slower = is_beyond(low, bound), faster = is_beyond(-high, bound);
  c.too_few_launches = !can_be_significant(c.base_launches, c.test_launches, rules.alpha, family);
  if (-low <= bound + kRounding && high <= bound + kRounding)
    c.time_verdict = Verdict::same;
  else if ((slower || faster) && c.adjusted_p < rules.alpha && clear_of_noise(c, rules, bound))
    c.time_verdict = slower ? Verdict::slower : Verdict::faster;
  else
    explain_undecided(c, rules, family, slower || faster);
  c.verdict = c.time_verdict;
}

KernelResources together(const std::vector<KernelFacts>& kernels) {
  KernelResources all;
  // Of the kernels where it is known; -1 where it is of none.
  const auto fold = [&](double KernelResources::*field, auto combine) {
    for (const KernelFacts& kernel : kernels) {
      const double next = kernel.resources.*field;
      if (next >= 0) all.*field = all.*field < 0 ? next : combine(all.*field, next);
    }
  };
  const auto maximum = [](double a, double b) { return std::max(a, b); };
  fold(&KernelResources::registers, maximum);
  fold(&KernelResources::shared_bytes, maximum);
  fold(&KernelResources::local_bytes, [](double a, double b) { return a + b; });
  fold(&KernelResources::occupancy, [](double a, double b) { return std::min(a, b); });
  return all;
}

// Of a machine between two runs, where no control tells.
constexpr double kUnknownDrift = 0.05;

// How much longer everything may take on the test side because the machine drifted from one run to
// the other, as far as the controls of the device tell; `sign` -1: how much less. A logarithm.
std::optional<double> possible_drift(const std::string& device,
                                     const std::vector<CaseComparison>& controls, int sign) {
  std::optional<double> drift;
  for (const CaseComparison& control : controls) {
    if (control.device != device || !control.has_interval()) continue;
    const double end = sign * std::log(sign > 0 ? control.ratio_high : control.ratio_low);
    drift = std::max(drift.value_or(0), end);
  }
  return drift;
}

}  // namespace

void estimate_logs(CaseComparison& c, const std::vector<double>& base,
                   const std::vector<double>& test, const Rules& rules) {
  c.base_launches = static_cast<int64_t>(base.size());
  c.test_launches = static_cast<int64_t>(test.size());
  const LocationShift shift = hodges_lehmann(base, test, 1 - rules.alpha);
  c.ratio = std::exp(shift.estimate);
  c.ratio_low = std::exp(shift.low);
  c.ratio_high = std::exp(shift.high);
  c.p = mann_whitney_p(base, test);
}

void estimate(CaseComparison& c, const std::vector<Launch>& base, const std::vector<Launch>& test,
              const Rules& rules) {
  c.base_seconds = median_seconds(base);
  c.test_seconds = median_seconds(test);
  c.base_disturbed = disturbed_of(base);
  c.test_disturbed = disturbed_of(test);
  estimate_logs(c, logs_of(base), logs_of(test), rules);
}

void judge_times(const std::vector<CaseComparison*>& cases, const Rules& rules) {
  std::vector<double> p;
  p.reserve(cases.size());
  for (const CaseComparison* c : cases) p.push_back(c->p);
  const int64_t family = std::max(rules.family, static_cast<int64_t>(cases.size()));
  const std::vector<double> adjusted = benjamini_hochberg(p, family);
  for (size_t i = 0; i < cases.size(); ++i) {
    cases[i]->adjusted_p = adjusted[i];
    judge_time(*cases[i], rules, family);
  }
}

SameCode same_code(const std::vector<KernelFacts>& base, const std::vector<KernelFacts>& test) {
  if (base.empty() || test.empty()) return SameCode::unknown;
  const auto identity = [](const KernelFacts& kernel) {
    return std::tie(kernel.code_hash, kernel.grid, kernel.block, kernel.resources.shared_bytes);
  };
  const auto known = [](const KernelFacts& kernel) { return !kernel.code_hash.empty(); };
  if (!std::ranges::all_of(base, known) || !std::ranges::all_of(test, known))
    return SameCode::unknown;
  const bool equal =
      std::equal(base.begin(), base.end(), test.begin(), test.end(),
                 [&](const auto& a, const auto& b) { return identity(a) == identity(b); });
  return equal ? SameCode::same : SameCode::changed;
}

std::vector<FigureChange> compare_resources(const std::vector<KernelFacts>& base,
                                            const std::vector<KernelFacts>& test) {
  return resource_changes(together(base), together(test));
}

void allow_for_drift(CaseComparison& c, const std::vector<CaseComparison>& controls,
                     const Rules& rules) {
  if (c.verdict != Verdict::slower && c.verdict != Verdict::faster) return;
  const int sign = c.verdict == Verdict::slower ? 1 : -1;
  const auto known = possible_drift(c.device, controls, sign);
  const double drift = known.value_or(std::log1p(kUnknownDrift));
  const double near_end = sign * std::log(sign > 0 ? c.ratio_low : c.ratio_high);
  if (near_end > std::log1p(rules.bound) + drift) return;
  c.reason = fmt::format(
      "{}, but one side was measured after the other, and {} a drift of {:.1f} %; measure them in "
      "turn: alsbench ab",
      name_of(c.verdict), known ? "the controls allow for" : "without controls nothing rules out",
      100 * std::expm1(drift));
  c.verdict = c.time_verdict = Verdict::undecided;
  c.causes.clear();
}

}  // namespace alsbench
