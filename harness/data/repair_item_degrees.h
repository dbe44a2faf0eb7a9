// SPDX-License-Identifier: Apache-2.0
// Brings the item degrees of drawn rows from their expectation to the plan's whole numbers, since
// counts drawn at random scatter around it: 66 expected ratings by 8.
#pragma once

#include <cstdint>

namespace alsbench {

struct GeneratorPlan;

// Items with more ratings than plan.item_degrees says give the surplus to items with fewer, within
// the same rows: row lengths stay, items ascend, no cell comes twice, and a moved rating gets the
// value of its new cell. An item stays slightly off its degree where none of the rows tried will
// do. The arrays are those of draw_rows. Deterministic by seed, whatever the number of threads.
void settle_degrees(const GeneratorPlan& plan, int32_t* indices, float* values);

}  // namespace alsbench
