// SPDX-License-Identifier: Apache-2.0
// How ratings stand among the factors of the tensor-core variants, and b_u among the sums: scaled,
// as two parts, in the two last columns.
#pragma once

#include "kernels/cuda/device/lane.cuh"
#include "kernels/cuda/device/shared.cuh"
#include "kernels/cuda/mma/byte_sums.cuh"
#include "kernels/cuda/mma/layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// 1 / scale of a power of two.
__device__ __forceinline__ float inverse_power(float scale) {
  return __uint_as_float((254u << 23) - __float_as_uint(scale));
}

// Contributions of the two parts of a rating; `Byte`: of sums that are not scaled yet, else void.
template <typename Byte>
struct RatingParts {
  template <typename Word>
  static __device__ __forceinline__ float sum(Word high, Word low) {
    return fmaf(value_of(high), Byte::kRatingHigh, value_of(low) * Byte::kRatingLow);
  }
};
template <>
struct RatingParts<void> {
  static __device__ __forceinline__ float sum(float high, float low) { return high + low; }
};

// b_u is the product with the two last columns: the rating's parts. Calls visit(e, wanted, b_e) for
// elements that this lane has, and with `wanted` false for others, so lanes need not part. `Sums`
// are floats or scaled; of the latter b_u is still to be multiplied by its scales.
template <int kRank, typename Sums, typename Visit>
__device__ __forceinline__ void for_each_bias(const Sums& row, int lane, Visit visit) {
  constexpr MmaLayout kLayout{kRank};
  constexpr int kPairs = kLayout.pairs();
  using Parts = RatingParts<BytesOf<Sums>>;
  const auto& sums = tiles_of(row);
  if constexpr (kLayout.has_rest()) {
#pragma unroll
    for (int i = 0; i <= kPairs; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        if (16 * i + 8 * half >= kRank) continue;
        const auto& tile = sums[kLayout.rest_tile(i)];
        const int e = 16 * i + 8 * half + lane / 4;
        visit(e, lane % 4 == 3 && e < kRank, Parts::sum(tile[2 * half], tile[2 * half + 1]));
      }
  } else {
#pragma unroll
    for (int j = 0; j < 2 * kPairs; ++j)
#pragma unroll
      for (int part = 0; part < 2; ++part) {
        // Rows 14 and 15 are the parts: each is in other lanes.
        const auto own = sums[kLayout.tile(kPairs - 1, j)][2 + part];
        const auto other = __shfl_xor_sync(0xffffffffu, own, 4);
        const int e = 8 * j + lane % 4 * 2 + part;
        visit(e, lane / 4 == 7 && e < kRank, Parts::sum(other, own));
      }
  }
}

// To global memory, `pitch` elements: zeros from the rank on.
template <int kRank>
__device__ __forceinline__ void write_bias(const MmaSums<kRank>& sums, float* bias, int pitch,
                                           float scale) {
  const int lane = fresh_lane();
  for_each_bias<kRank>(sums, lane, [&](int e, bool wanted, float value) {
    if (wanted) bias[e] = value * scale;
  });
  for (int column = kRank + lane; column < pitch; column += 32) bias[column] = 0;
}

// To shared memory, MmaLayout::columns() elements, not yet multiplied by scales.
template <int kRank, typename Sums>
__device__ __forceinline__ void put_bias(const Sums& sums, uint32_t target) {
  const int lane = fresh_lane();
  for_each_bias<kRank>(sums, lane, [&](int e, bool wanted, float value) {
    store_shared_if(wanted, target + 4 * e, __float_as_uint(value));
  });
  static_assert(MmaLayout{kRank}.columns() - kRank < 32);
  store_shared_if(kRank + lane < MmaLayout{kRank}.columns(), target + 4 * (kRank + lane), 0u);
}

}  // namespace alsbench
