// SPDX-License-Identifier: Apache-2.0
// level_columns: a thread a row at a time; any grid.
#pragma once

#include "kernels/shared/params/levels.h"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) set_level_columns(LevelColumnsParams p) {
  for (int64_t row = int64_t{blockIdx.x} * kThreads + threadIdx.x; row < p.factors.rows;
       row += int64_t{gridDim.x} * kThreads) {
    if (p.offsets[row] == p.offsets[row + 1]) continue;
    float* factors = static_cast<float*>(p.factors.data) + row * p.factors.pitch;
    const float level = p.takes != 0 ? factors[p.own] + p.shift : p.levels[row];
    if (p.takes != 0) p.levels[row] = level;
    factors[p.own] = p.own_weight * (level - p.own_shift);
    factors[p.other] = p.other_value;
  }
}

}  // namespace alsbench
