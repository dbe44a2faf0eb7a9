// SPDX-License-Identifier: Apache-2.0
// The ceiling of reading: a sequential read of 16 bytes a thread at a time, past L1. Nothing but a
// sum a warp is kept. Grid: any.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/device/reduce.cuh"
#include "kernels/shared/params/ceiling.h"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) read_words(ReadParams p) {
  constexpr int kInFlight = 4;
  const uint4* source = static_cast<const uint4*>(p.source);
  const int64_t total = p.bytes / static_cast<int64_t>(sizeof(uint4));
  const int64_t stride = static_cast<int64_t>(gridDim.x) * kThreads;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  int sum = 0;
  for (int pass = 0; pass < p.passes; ++pass)
    for (int64_t begin = first; begin < total; begin += kInFlight * stride) {
      uint32_t words[kInFlight][4] = {};
#pragma unroll
      for (int i = 0; i < kInFlight; ++i)
        if (begin + i * stride < total) load_words<false>(words[i], source + begin + i * stride);
#pragma unroll
      for (int i = 0; i < kInFlight; ++i)
        sum += static_cast<int>(words[i][0] + words[i][1] + words[i][2] + words[i][3]);
    }
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) p.sums[first / 32] = static_cast<uint32_t>(sum);
}

}  // namespace alsbench
