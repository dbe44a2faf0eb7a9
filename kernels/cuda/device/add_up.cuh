// SPDX-License-Identifier: Apache-2.0
// The sum of integers: what CudaDevice::add_up runs.
#pragma once

#include "kernels/cuda/device/reduce.cuh"
#include "kernels/shared/params/tools.h"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) add_up(AddUpParams params) {
  __shared__ int64_t partials[kThreads / 32];
  int64_t sum = 0;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < params.count;
       i += static_cast<int64_t>(gridDim.x) * kThreads)
    sum += params.values[i];
  sum = block_sum<kThreads>(sum, partials);
  if (threadIdx.x == 0)
    atomicAdd(reinterpret_cast<unsigned long long*>(params.total),
              static_cast<unsigned long long>(sum));
}

}  // namespace alsbench
