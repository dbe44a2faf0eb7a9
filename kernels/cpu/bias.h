// SPDX-License-Identifier: Apache-2.0
// The stage bias on the CPU: b_u = sum r theta; zero for an empty row and in the padding.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/als.h"

namespace alsbench {

void bias_rows(const UpdateParams& params, bool half_factors, const CpuResources& resources);
// The same for batch row `item` alone; `scratch` holds rank floats.
void bias_row(const UpdateParams& params, bool half_factors, int64_t item, float* scratch);

}  // namespace alsbench
