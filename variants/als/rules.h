// SPDX-License-Identifier: Apache-2.0
// Rules for where nothing was tuned: which pipeline of a side is expected to be the fastest of
// those that are accurate at any usual lambda. Times are counts times rates that were measured
// (rates.h).
#pragma once

#include <vector>

#include "variants/core/pipeline_grammar.h"

namespace alsbench::rules {

// The candidates, the fastest expected first. The last runs on every device of the backend, though
// perhaps with other variants of its stages.
std::vector<RuledPipeline> fastest_first(const Shape& shape, const DeviceTraits& traits);

}  // namespace alsbench::rules
