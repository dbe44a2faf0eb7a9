// SPDX-License-Identifier: Apache-2.0
// Copies float factor rows by index: the ceiling of indexed reads that the gathers of hermitian and
// bias stay under. A thread copies 16-byte vectors of the target in order, kVectors a row. Grid:
// any.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/shared/params/ceiling.h"

namespace alsbench {

template <int kVectors, int kThreads, bool kL1>
__global__ void __launch_bounds__(kThreads) gather_copy(CopyParams p) {
  constexpr int kInFlight = 4;
  const uint4* source = static_cast<const uint4*>(p.source);
  uint4* target = static_cast<uint4*>(p.target);
  const int64_t total = p.rows * kVectors;
  const int64_t stride = static_cast<int64_t>(gridDim.x) * kThreads;
  const int64_t first = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x;
  for (int64_t begin = first; begin < total; begin += kInFlight * stride) {
    uint32_t v[kInFlight][4];
#pragma unroll
    for (int i = 0; i < kInFlight; ++i) {
      const int64_t at = begin + i * stride;
      if (at < total)
        load_words<kL1>(
            v[i], source + static_cast<int64_t>(load_index(p.indices + at / kVectors)) * kVectors +
                      at % kVectors);
    }
#pragma unroll
    for (int i = 0; i < kInFlight; ++i)
      if (begin + i * stride < total)
        store_streaming(target + begin + i * stride,
                        make_uint4(v[i][0], v[i][1], v[i][2], v[i][3]));
  }
}

}  // namespace alsbench
