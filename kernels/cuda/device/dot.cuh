// SPDX-License-Identifier: Apache-2.0
// Dot products of factor rows.
#pragma once

#include "kernels/cuda/device/load.cuh"

namespace alsbench {

template <int kRank>
__device__ __forceinline__ float dot_rows(const float* x, const float* theta) {
  float sum = 0;
#pragma unroll 4
  for (int e = 0; e < kRank; e += 4) {  // rows are padded with zeros to a multiple of 4
    float a[4], b[4];
    load_vector<true>(a, x + e);
    load_vector<true>(b, theta + e);
#pragma unroll
    for (int i = 0; i < 4; ++i) sum += a[i] * b[i];
  }
  return sum;
}

}  // namespace alsbench
