// SPDX-License-Identifier: Apache-2.0
// gram in FP32: a block sums a tile of the lower triangle over a slice of the rows; a second kernel
// adds the slices up in their order, so the bits do not depend on timing.
#pragma once

#include "kernels/cuda/basis/tile_sums.cuh"
#include "kernels/shared/params/basis.h"

namespace alsbench {

// Grid: pairs of tiles x p.slices; the workspace holds kPairElements floats a block.
template <int kRank>
__global__ void __launch_bounds__(BasisLayout::kThreads) gram_tiles(GramParams p) {
  constexpr BasisLayout kLayout{kRank};
  constexpr int kDepth = BasisLayout::kDepth, kVectors = BasisLayout::kTile / 4;
  __shared__ TilePanel left, right;
  const int block = static_cast<int>(blockIdx.x), pair = block % kLayout.pairs();
  const int64_t slice = block / kLayout.pairs();
  const int first_row = kLayout.pair_row(pair) * kVectors;  // in vectors of the factors
  const int first_column = kLayout.pair_column(pair) * kVectors;
  const int64_t begin = slice * p.factors.rows / p.slices;
  const int64_t end = (slice + 1) * p.factors.rows / p.slices;
  TileSums tile;
  for (int64_t base = begin; base < end; base += kDepth) {
    __syncthreads();
    for (int i = threadIdx.x; i < kDepth * kVectors; i += BasisLayout::kThreads) {
      const int64_t row = base + i / kVectors;
      const float weight =
          row < end ? static_cast<float>(p.ratings.offsets[row + 1] - p.ratings.offsets[row]) : 0;
      float4 y = factor_vector(p.factors, row, end, first_row + i % kVectors);
      y.x *= weight, y.y *= weight, y.z *= weight, y.w *= weight;
      left[i / kVectors][i % kVectors] = y;
      right[i / kVectors][i % kVectors] =
          factor_vector(p.factors, row, end, first_column + i % kVectors);
    }
    __syncthreads();
    tile.add(left, right);
  }
  auto* target = static_cast<float*>(p.workspace) + int64_t{block} * BasisLayout::kPairElements;
#pragma unroll
  for (int i = 0; i < 8; ++i)
#pragma unroll
    for (int half = 0; half < 2; ++half)
      *reinterpret_cast<float4*>(target + TileSums::row(i) * BasisLayout::kTile +
                                 TileSums::column(4 * half)) = tile.four(i, half);
}

// Grid: a thread an element of every pair of tiles.
template <int kRank>
__global__ void __launch_bounds__(BasisLayout::kSumThreads) gram_sum(GramParams p) {
  constexpr BasisLayout kLayout{kRank};
  constexpr int kElements = kLayout.pairs() * BasisLayout::kPairElements;
  const int element = static_cast<int>(blockIdx.x * BasisLayout::kSumThreads + threadIdx.x);
  const int pair = element / BasisLayout::kPairElements;
  const int place = element % BasisLayout::kPairElements;
  const int i = kLayout.pair_row(pair) * BasisLayout::kTile + place / BasisLayout::kTile;
  const int j = kLayout.pair_column(pair) * BasisLayout::kTile + place % BasisLayout::kTile;
  if (i >= kRank || j > i) return;
  const auto* source = static_cast<const float*>(p.workspace) + element;
  float sum = 0;
#pragma unroll 8
  for (int slice = 0; slice < p.slices; ++slice) sum += source[int64_t{slice} * kElements];
  p.gram[i * kRank + j] = sum;
  p.gram[j * kRank + i] = sum;
}

}  // namespace alsbench
