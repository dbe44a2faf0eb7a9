// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/drift.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace alsbench {
namespace {

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
