// SPDX-License-Identifier: Apache-2.0
// Cuts the long rows of a batch, as a kernel of its own. Any grid.
#pragma once

#include "kernels/cuda/rows/cut.cuh"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) plan_rows(UpdateParams p) {
  cut_rows(p, int64_t{blockIdx.x} * kThreads + threadIdx.x, int64_t{gridDim.x} * kThreads);
}

}  // namespace alsbench
