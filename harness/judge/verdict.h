// SPDX-License-Identifier: Apache-2.0
// Verdicts of one case: what the launches of both sides say about its time, and the rules for the
// figures that are judged with it.
#pragma once

#include <cmath>
#include <vector>

#include "harness/judge/comparison.h"
#include "harness/record/comparison_record.h"

namespace alsbench {

// An effect of exactly the bound does not lie beyond it, whatever the digits of its logarithm.
inline constexpr double kRounding = 1e-12;
// Whether a logarithm lies beyond a bound, which is one.
constexpr bool is_beyond(double log, double bound) { return log > bound + kRounding; }
// Whether a figure, which may be below 0, rose by more than this share of it.
inline bool rose_by_more(double before, double after, double share) {
  return after - before > (share + kRounding) * std::abs(before);
}

// Fills in seconds, ratio, interval and p of a case from its launches (at confidence 1 - alpha).
void estimate(CaseComparison& c, const std::vector<Launch>& base, const std::vector<Launch>& test,
              const Rules& rules);
// The same of logarithms of seconds, which may be relative to anything.
void estimate_logs(CaseComparison& c, const std::vector<double>& base,
                   const std::vector<double>& test, const Rules& rules);

// Adjusts the p of all estimated cases as one family and fills in time_verdict, verdict and reason.
void judge_times(const std::vector<CaseComparison*>& cases, const Rules& rules);

SameCode same_code(const std::vector<KernelFacts>& base, const std::vector<KernelFacts>& test);

// Of all kernels of a case together: the most registers and shared memory of one, the least
// occupancy, and the sum of the local memory.
std::vector<FigureChange> compare_resources(const std::vector<KernelFacts>& base,
                                            const std::vector<KernelFacts>& test);

// Makes a slower or faster case undecided where a drift may be the reason: its interval lies beyond
// the bound by no more than the controls of its device allow for, or 5 % without such controls.
void allow_for_drift(CaseComparison& c, const std::vector<CaseComparison>& controls,
                     const Rules& rules);

}  // namespace alsbench
