// SPDX-License-Identifier: Apache-2.0
// A build with itself: what `aa` reports of a machine: how often equal builds are told apart there,
// and which effects would be.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/judge/comparison.h"

namespace alsbench {

struct SelfComparison {
  // The launches of a block of ABBA can be divided the other way round as well: with every block
  // either way there are this many more A/A comparisons in the same launches.
  int64_t relabelings = 0;
  int64_t comparisons = 0;  // of cases, in all of them
  int64_t alarms = 0;       // of these, "slower" or "faster"
};

// `base` and `test` hold two launches of each block, in the order of blocks. At most 2^10
// relabelings; the one that was run is among them.
SelfComparison relabel(const ComparisonInput& base, const ComparisonInput& test,
                       const Rules& rules);

// What an A/A comparison comes to: failed where a case has; unfit where there was a false alarm, a
// canary moved or too much is undecided at the bound; else clean.
Conclusion conclusion_of(const Comparison& comparison, const SelfComparison& self);

// The relative slowdown that would have been found: one whose interval, as wide as the case's own,
// lies beyond the bound in at least 95 of 100 comparisons. Infinity where the launches are too few.
double detectable_effect(const CaseComparison& c, const Rules& rules);

}  // namespace alsbench
