// SPDX-License-Identifier: Apache-2.0
// The Gram matrix as the lanes of a warp hold the sums of a row, for update kernels to add to them.
#pragma once

#include "kernels/cuda/implicit/weights.cuh"

namespace alsbench {

// Factor of an element of the Gram matrix where a row's sums begin with it: s, or the conversion to
// the units of sums of bytes.
template <typename Factor>
__device__ __forceinline__ float gram_scale(const ImplicitParams& p, int row, int column) {
  if constexpr (sizeof(Factor) != 1) return __uint_as_float(scale_of<Factor>(p).weight_bits);
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

template <int kRank>
__device__ __forceinline__ void add_gram(MmaSums<kRank>& sums, const ImplicitParams& p) {
  const auto* tiles = static_cast<const float4*>(p.gram_tiles) + fresh_lane();
#pragma unroll
  for (int i = 0; i < MmaLayout{kRank}.tiles(); ++i) {
    const float4 gram = tiles[i * 32];
    sums[i][0] += gram.x, sums[i][1] += gram.y, sums[i][2] += gram.z, sums[i][3] += gram.w;
  }
}
}  // namespace alsbench
