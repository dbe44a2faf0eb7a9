// SPDX-License-Identifier: Apache-2.0
// The choice among pipelines that have played: the fastest, its ties, and which of them is taken.
#pragma once

#include <vector>

#include "harness/tune/pipeline/pipeline_tuner.h"

namespace alsbench {

// Infinite where there are no values.
double median_of(const std::vector<double>& values);

// What a contender is judged by on a side: half-iterations; the time to the target, which both
// sides reach together, for Goal::time_to_target. Infinite where it has no round.
double median_seconds(const Contender& contender, const std::string& part, Goal goal);

// Of the eligible within noise or one percent of the fastest the more exact is taken, then the
// default, then the one with more CG steps, then the plainest, then by name: no chance in it. Those
// within two percent are its ties. Default and margin are left to the caller. Throws
// EnvironmentError where none is eligible.
SideChoice choose_side(const std::vector<Contender>& playoff, const std::string& part, Goal goal);

}  // namespace alsbench
