// SPDX-License-Identifier: Apache-2.0
// The comparison of a build with itself, as `aa` makes it: how often equal builds are told apart on
// this machine, and how large an effect would be found.
#pragma once

#include "harness/judge/comparison.h"

namespace alsbench {

// `base` and `test` hold two launches of each block, in the order of blocks. At most 2^10
// relabelings; the one that was run is among them.
SelfComparison relabel(const ComparisonInput& base, const ComparisonInput& test,
                       const Rules& rules);

// The conclusion of an A/A comparison. It is `failed` where a case failed. It is `unfit` where
// there was a false alarm, a control moved, or too much is undecided at the bound. Else it is
// `clean`.
Conclusion conclusion_of(const Comparison& comparison, const SelfComparison& self);

// The relative slowdown that would have been found. Its interval, as wide as the case's own, lies
// beyond the bound in at least 95 of 100 comparisons. Infinity where there are too few launches.
double detectable_effect(const CaseComparison& c, const Rules& rules);

}  // namespace alsbench
