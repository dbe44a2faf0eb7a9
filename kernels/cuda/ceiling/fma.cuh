// SPDX-License-Identifier: Apache-2.0
// The ceiling of FP32 units: a thread has kFmaSummed chains of fused multiply-adds in registers. A
// block is a task.
#pragma once

#include "kernels/shared/fma_chain.h"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) fma_chains(FmaParams p) {
  const uint32_t at = blockIdx.x * kThreads + threadIdx.x;
  float x[kFmaSummed];
#pragma unroll
  for (int i = 0; i < kFmaSummed; ++i) x[i] = fma_start(at * kFmaSummed + i);
#pragma unroll 64  // a turn of the loop costs as much as three multiply-adds
  for (int step = 0; step < p.steps; ++step)
#pragma unroll
    for (int i = 0; i < kFmaSummed; ++i) x[i] = fmaf(x[i], kFmaFactor, kFmaTerm);
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kFmaSummed; ++i) sum += x[i];
  p.target[at] = sum;
}

}  // namespace alsbench
