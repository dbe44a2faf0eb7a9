// SPDX-License-Identifier: Apache-2.0
// The choice of a part's pipeline after a playoff: the fastest, its ties, and which of them is
// taken.
#pragma once

#include <vector>

#include "harness/tune/pipeline/pipeline_tuner.h"

namespace alsbench {

// Infinite where there are no values.
double median_of(const std::vector<double>& values);

// A contender's score for a part: the median time of the part in an iteration. For
// Goal::time_to_target it is the time to the target, which all parts reach together. Infinite where
// it has no round.
double median_seconds(const Contender& contender, const std::string& part, Goal goal);
// How far that median may be off, as a share of it. Infinite where it has fewer than two rounds.
double median_noise(const Contender& contender, const std::string& part, Goal goal);

// Compares the eligible contenders within noise or one percent of the fastest. The most exact one
// is taken. Ties are broken in this order: the default, more CG steps, fewest non-default
// parameters, name. Contenders within two percent are its ties. The caller fills in default and
// margin. Throws EnvironmentError where none is eligible.
PartChoice choose_part(const std::vector<Contender>& playoff, const std::string& part, Goal goal);

}  // namespace alsbench
