// SPDX-License-Identifier: Apache-2.0
// How ratings stand among the factors of the tensor-core variants, and b_u among the sums: scaled,
// as two parts, in the two last columns.
#pragma once

#include "kernels/cuda/device/lane.cuh"
#include "kernels/cuda/mma/layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// 1 / scale of a power of two.
__device__ __forceinline__ float inverse_power(float scale) {
  return __uint_as_float((254u << 23) - __float_as_uint(scale));
}

// b_u is the product with the two last columns: the rating's parts.
template <int kRank>
__device__ __forceinline__ void write_bias(const MmaSums<kRank>& sums, float* bias, int pitch,
                                           float scale) {
  constexpr MmaLayout kLayout{kRank};
  constexpr int kPairs = kLayout.pairs();
  const int lane = fresh_lane();
  if constexpr (kLayout.has_rest()) {
#pragma unroll
    for (int i = 0; i <= kPairs; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const float(&tile)[4] = sums[kLayout.rest_tile(i)];
        const int row = 16 * i + 8 * half + lane / 4;
        if (lane % 4 == 3 && row < kRank) bias[row] = (tile[2 * half] + tile[2 * half + 1]) * scale;
      }
  } else {
#pragma unroll
    for (int j = 0; j < 2 * kPairs; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        float value = sums[kLayout.tile(kPairs - 1, j)][2 + e];  // rows 14 and 15 are the parts
        value += __shfl_xor_sync(0xffffffffu, value, 4);
        const int column = 8 * j + lane % 4 * 2 + e;
        if (lane / 4 == 7 && column < kRank) bias[column] = value * scale;
      }
  }
  for (int column = kRank + lane; column < pitch; column += 32) bias[column] = 0;
}

}  // namespace alsbench
