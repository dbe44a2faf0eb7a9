// SPDX-License-Identifier: Apache-2.0
// The Gram matrix as the lanes of a warp hold the sums of a row, for update kernels to add to them.
#pragma once

#include "kernels/cuda/implicit/weights.cuh"

namespace alsbench {

// Factor of an element of the Gram matrix where it is added to a row's sums: the conversion to the
// units of sums of bytes, else 1.
template <typename Factor>
__device__ __forceinline__ float gram_scale(const ImplicitParams& p, int row, int column) {
  if constexpr (sizeof(Factor) != 1) return 1;
  const auto* scales = static_cast<const float*>(p.update.factors.data);
  const float unit = scales[row] * scales[column];
  return unit > 0 ? 1 / unit : 0;
}

// Writes the Gram matrix to p.gram_tiles, a float4 a tile and lane; zeros where sums have ratings
// or padding. Grid: tiles; block: a warp.
template <int kRank, typename Factor>
__global__ void __launch_bounds__(32) spread_gram(ImplicitParams p) {
  constexpr MmaLayout kLayout{kRank};
  constexpr int kPairs = kLayout.pairs(), kWhole = kPairs * (kPairs + 1);
  const int tile = static_cast<int>(blockIdx.x), lane = static_cast<int>(threadIdx.x);
  int pair = 0;
  while (pair < kPairs && kLayout.tile(pair + 1, 0) <= tile) ++pair;
  const bool rest = tile >= kWhole;
  if (rest) pair = tile - kWhole;
  const int first_row = 16 * pair + lane / 4;
  const int first_column = 8 * (rest ? 2 * kPairs : tile - kLayout.tile(pair, 0)) + lane % 4 * 2;
  const auto element = [&](int e) {
    const int row = first_row + e / 2 * 8, column = first_column + e % 2;
    return row < kRank && column < kRank
               ? gram_scale<Factor>(p, row, column) * p.gram[row * kRank + column]
               : 0.0f;
  };
  static_cast<float4*>(p.gram_tiles)[tile * 32 + lane] =
      make_float4(element(0), element(1), element(2), element(3));
}

// Takes the scale s off the sums, which is exact, and adds the Gram matrix. Times s it could be so
// large that CG overflows: s is 3e5 where all weights are 1e-4.
template <int kRank, typename Factor>
__device__ __forceinline__ void add_gram(MmaSums<kRank>& sums, const ImplicitParams& p) {
  const auto* tiles = static_cast<const float4*>(p.gram_tiles) + fresh_lane();
  const float inverse = inverse_power(__uint_as_float(scale_of<Factor>(p).weight_bits));
#pragma unroll
  for (int i = 0; i < MmaLayout{kRank}.tiles(); ++i) {
    const float4 gram = tiles[i * 32];
    sums[i][0] = fmaf(sums[i][0], inverse, gram.x);
    sums[i][1] = fmaf(sums[i][1], inverse, gram.y);
    sums[i][2] = fmaf(sums[i][2], inverse, gram.z);
    sums[i][3] = fmaf(sums[i][3], inverse, gram.w);
  }
}
}  // namespace alsbench
