// SPDX-License-Identifier: Apache-2.0
// Corrects the item degrees of drawn rows to the plan's whole numbers. Counts drawn at random
// scatter around them: 66 expected ratings by 8.
#pragma once

#include <cstdint>

namespace alsbench {

struct GeneratorPlan;

// Items with more ratings than plan.item_degrees give the surplus to items with fewer, within the
// same rows. Row lengths stay, items ascend, and no cell comes twice. A moved rating gets the value
// of its new cell. An item stays slightly off its degree where none of the rows tried will do. The
// arrays are those of draw_rows. Deterministic by seed, whatever the number of threads.
void repair_item_degrees(const GeneratorPlan& plan, int32_t* indices, float* values);

}  // namespace alsbench
