// SPDX-License-Identifier: Apache-2.0
// The story of a comparison: a real change, a changed method, another machine, or noise.
#pragma once

#include <vector>

#include "harness/record/comparison_record.h"

namespace alsbench {

// The likeliest first, each kind at most once; at least one. What the
// sides do not share comes before what their times say, as times can tell of nothing else then.
std::vector<Story> stories_of(const Comparison& comparison);

}  // namespace alsbench
