// DrawRows: what fills the rows of a synthetic set, so that a device may do it (harness/als) though
// this box knows none. Whoever draws, the ratings are the same bits. Used by the loaders' callers.
#pragma once

#include <cstdint>
#include <functional>

namespace alsbench {

struct GeneratorPlan;

// Fills both arrays in the order of plan.row_offsets; the items of a row ascend.
using DrawRows = std::function<void(const GeneratorPlan& plan, int32_t* indices, float* values)>;

// On all threads of the host.
void draw_rows_on_cpu(const GeneratorPlan& plan, int32_t* indices, float* values);

}  // namespace alsbench
