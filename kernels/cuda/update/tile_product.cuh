// SPDX-License-Identifier: Apache-2.0
// The products A_u p of conjugate gradients by one warp, with A_u in its tensor-core sums: the
// lower triangle stays in registers, the vectors pass through shared memory.
#pragma once

#include "kernels/cuda/mma/layout.cuh"

namespace alsbench {

// Elements of a vector that a lane owns: 32 q + 8 (lane % 4) + lane / 4. That is where summing the
// rows of the tiles leaves them, and each q is 128 bytes of memory that the warp reads at once.
template <int kRank>
struct OwnedElements {
  static constexpr int kCount = (kRank + 31) / 32;
  int lane;

  template <typename Visit>
  __device__ __forceinline__ void for_each(Visit&& visit) const {
    const int first = lane % 4 * 8 + lane / 4;
#pragma unroll
    for (int q = 0; q < kCount; ++q)
      if (32 * q + 32 <= kRank || 32 * q + first < kRank) visit(q, 32 * q + first);
  }
};

// Lane t of four gets the sum over the four of values[t], t < kCount; the others anything.
template <int kCount>
__device__ __forceinline__ float sum_of_four_lanes(int lane, const float (&values)[4]) {
  constexpr unsigned kAll = 0xffffffffu;
  if constexpr (kCount == 1) {
    const float pair = values[0] + __shfl_xor_sync(kAll, values[0], 1);
    return pair + __shfl_xor_sync(kAll, pair, 2);
  }
  const bool odd = lane % 2 != 0, high = lane % 4 >= 2;
  float a = odd ? values[1] : values[0], b = odd ? values[3] : values[2];
  a += __shfl_xor_sync(kAll, odd ? values[0] : values[1], 1);
  b += __shfl_xor_sync(kAll, odd ? values[2] : values[3], 1);
  return (high ? b : a) + __shfl_xor_sync(kAll, high ? a : b, 2);
}

// rows += tile x columns c of a vector, the tile's first and second 8 rows apart.
__device__ __forceinline__ void add_rows(float& low, float& high, const float (&tile)[4],
                                         float2 c) {
  low = fmaf(tile[0], c.x, low), high = fmaf(tile[2], c.x, high);
  low = fmaf(tile[1], c.y, low), high = fmaf(tile[3], c.y, high);
}
// The same mirrored: columns += tile^T x rows of a vector.
__device__ __forceinline__ void add_columns(float& first, float& second, const float (&tile)[4],
                                            float low, float high) {
  first = fmaf(tile[0], low, first), second = fmaf(tile[1], low, second);
  first = fmaf(tile[2], high, first), second = fmaf(tile[3], high, second);
}

// Sums over the 8 lanes that hold different rows of two neighbouring tiles, to `target`: `sums` are
// the columns 2 t and 2 t + 1 of the first and of the second.
__device__ __forceinline__ void keep_pair(int lane, const float (&sums)[4], float* target) {
  constexpr unsigned kAll = 0xffffffffu;
  const bool second = (lane & 16) != 0, odd = (lane & 8) != 0;
  float a = second ? sums[2] : sums[0], b = second ? sums[3] : sums[1];
  a += __shfl_xor_sync(kAll, second ? sums[0] : sums[2], 16);
  b += __shfl_xor_sync(kAll, second ? sums[1] : sums[3], 16);
  float sum = (odd ? b : a) + __shfl_xor_sync(kAll, odd ? a : b, 8);
  sum += __shfl_xor_sync(kAll, sum, 4);
  if ((lane & 4) == 0) target[lane / 16 * 8 + lane % 4 * 2 + (odd ? 1 : 0)] = sum;
}
// The same of a single tile.
__device__ __forceinline__ void keep_single(int lane, float first, float second, float* target) {
  constexpr unsigned kAll = 0xffffffffu;
  const bool odd = (lane & 16) != 0;
  float sum = (odd ? second : first) + __shfl_xor_sync(kAll, odd ? first : second, 16);
  sum += __shfl_xor_sync(kAll, sum, 8);
  sum += __shfl_xor_sync(kAll, sum, 4);
  if ((lane & 12) == 0) target[lane % 4 * 2 + (odd ? 1 : 0)] = sum;
}

// The products of a warp's sums with vectors. A tile left of the diagonal counts twice: with its
// columns for its rows, and mirrored.
template <int kRank>
struct TileProduct {
  static constexpr MmaLayout kLayout{kRank};
  static constexpr int kPairs = kLayout.pairs(), kBlocks = kLayout.columns() / 8;
  using Sums = MmaSums<kRank>;
  using Owned = OwnedElements<kRank>;

  const Sums& sums;
  int lane;
  const float* vector;  // columns() floats of shared memory; zero from the rank on
  float* mirrored;      // as many; those that no mirrored tile reaches stay zero

  // `shared`: `vector`, and behind it what the product needs.
  __device__ __forceinline__ TileProduct(const Sums& sums_, int lane_, float* shared)
      : sums(sums_), lane(lane_), vector(shared), mirrored(shared + kLayout.columns()) {
    for (int e = lane; e < kLayout.columns(); e += 32) mirrored[e] = 0;
  }

  // product[q] = (A v) of the elements this lane owns, v being `vector`. Barriers of the warp at
  // both ends: the caller may write `vector` right before and after.
  __device__ __forceinline__ void multiply(float (&product)[Owned::kCount]) const {
    const int group = lane / 4;
    const auto* columns = reinterpret_cast<const float2*>(vector) + lane % 4;
    float rows[4 * ((kBlocks + 3) / 4)] = {};
    float own[kPairs > 0 ? 2 * kPairs : 1];
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 2 * kPairs; ++i) own[i] = vector[8 * i + group];
#pragma unroll
    for (int j = 0; j < kPairs; ++j) {
      const float2 c0 = columns[8 * j], c1 = columns[8 * j + 4];
      float mirror[4] = {};
#pragma unroll
      for (int i = j; i < kPairs; ++i) {
        const float(&left)[4] = sums[kLayout.tile(i, 2 * j)];
        const float(&right)[4] = sums[kLayout.tile(i, 2 * j + 1)];
        add_rows(rows[2 * i], rows[2 * i + 1], left, c0);
        add_rows(rows[2 * i], rows[2 * i + 1], right, c1);
        if (i == j) continue;
        add_columns(mirror[0], mirror[1], left, own[2 * i], own[2 * i + 1]);
        add_columns(mirror[2], mirror[3], right, own[2 * i], own[2 * i + 1]);
      }
      if (j < kPairs - 1) keep_pair(lane, mirror, mirrored + 16 * j);
    }
    if constexpr (kLayout.rest_has_features()) {
      const float2 c = columns[8 * kPairs];
      float first = 0, second = 0;
#pragma unroll
      for (int i = 0; i < kPairs; ++i) {
        const float(&tile)[4] = sums[kLayout.rest_tile(i)];
        add_rows(rows[2 * i], rows[2 * i + 1], tile, c);
        add_columns(first, second, tile, own[2 * i], own[2 * i + 1]);
      }
      const float(&corner)[4] = sums[kLayout.rest_tile(kPairs)];
      rows[2 * kPairs] = fmaf(corner[0], c.x, fmaf(corner[1], c.y, rows[2 * kPairs]));
      if (kPairs > 0) keep_single(lane, first, second, mirrored + 16 * kPairs);
    }
    // The last group of rows may be a single block of them.
    constexpr int kLast = Owned::kCount - 1;
    constexpr int kWhole = kBlocks == 4 * kLast + 1 ? kLast : Owned::kCount;
#pragma unroll
    for (int q = 0; q < kWhole; ++q)
      product[q] = sum_of_four_lanes<4>(
          lane, {rows[4 * q], rows[4 * q + 1], rows[4 * q + 2], rows[4 * q + 3]});
    if constexpr (kWhole == kLast) product[kLast] = sum_of_four_lanes<1>(lane, {rows[4 * kLast]});
    __syncwarp();
    Owned{lane}.for_each([&](int q, int e) { product[q] += mirrored[e]; });
  }
};

}  // namespace alsbench
