// SPDX-License-Identifier: Apache-2.0
// ccd_next, a thread a row. Grid: enough threads for all rows.
#pragma once

#include "kernels/shared/params/ccd.h"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) ccd_next(CcdNextParams p) {
  const int64_t row = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  if (row >= p.factors.rows) return;
  float* factors = static_cast<float*>(p.factors.data) + row * p.factors.pitch;
  const CcdValues values = p.values[row];
  if (p.last >= 0) factors[p.last] = values.now;
  const float next = factors[p.next];
  p.values[row] = {values.before, values.now, next, next};
}

}  // namespace alsbench
