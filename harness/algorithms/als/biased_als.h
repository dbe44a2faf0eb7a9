// SPDX-License-Identifier: Apache-2.0
// Explicit ALS with biases (docs/explanation/biases.md).
#pragma once

#include <memory>

#include "harness/train/algorithm.h"

namespace alsbench {

// Throws ObjectionError where a hyper-parameter, the rank or the team does not go with biases.
std::unique_ptr<Training> start_biased_als(const DeviceProblem& problem, const Recipe& recipe,
                                           uint64_t seed);

}  // namespace alsbench
