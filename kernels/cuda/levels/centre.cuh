// SPDX-License-Identifier: Apache-2.0
// centre: a thread a rating at a time; any grid.
#pragma once

#include "kernels/shared/params/levels.h"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) centre_ratings(CentreParams p) {
  for (int64_t k = int64_t{blockIdx.x} * kThreads + threadIdx.x; k < p.ratings.nnz;
       k += int64_t{gridDim.x} * kThreads)
    p.values[k] = p.ratings.values[k] - p.mean - p.levels[p.ratings.indices[k]];
}

}  // namespace alsbench
