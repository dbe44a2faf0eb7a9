// SPDX-License-Identifier: Apache-2.0
// subsample: a block copies the subsampled cells of a row. Grid: rows.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/shared/params/start.h"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) subsample_rows(SubsampleParams p) {
  const int64_t row = blockIdx.x;
  if (row >= p.ratings.rows) return;
  const SubsampledRow subsampled(p, row);
  const int64_t from = p.ratings.offsets[row], to = p.offsets[row];
  const float divisor = p.averaged != 0 ? static_cast<float>(subsampled.taken) : 1;
#pragma unroll 4
  for (int64_t i = threadIdx.x; i < subsampled.taken; i += kThreads) {
    const int64_t cell = from + subsampled.place(i);
    p.indices[to + i] = load_index(p.ratings.indices + cell);
    p.values[to + i] = (p.ratings.values[cell] - p.mean) / divisor;
  }
}

}  // namespace alsbench
