// SPDX-License-Identifier: Apache-2.0
// rotate in FP32: a block multiplies 64 rows of the source by 64 columns of the basis.
#pragma once

#include "kernels/cuda/basis/tile_sums.cuh"
#include "kernels/shared/params/basis.h"

namespace alsbench {

// Grid: tiles of the rows x BasisLayout::tiles().
template <int kRank>
__global__ void __launch_bounds__(BasisLayout::kThreads) rotate_tiles(RotateParams p) {
  constexpr BasisLayout kLayout{kRank};
  constexpr int kTile = BasisLayout::kTile, kDepth = BasisLayout::kDepth;
  __shared__ TilePanel left, right;
  auto* left_elements = reinterpret_cast<float*>(&left);
  auto* right_elements = reinterpret_cast<float*>(&right);
  const int64_t first_row = int64_t{blockIdx.x} / kLayout.tiles() * kTile;
  const int first_column = static_cast<int>(blockIdx.x % kLayout.tiles()) * kTile;
  TileSums tile;
  for (int base = 0; base < kRank; base += kDepth) {
    __syncthreads();
    for (int i = threadIdx.x; i < kTile * kDepth / 4; i += BasisLayout::kThreads) {
      const int row = i % kTile, vector = i / kTile;
      const float4 x = factor_vector(p.source, first_row + row, p.source.rows, base / 4 + vector);
      float* target = left_elements + 4 * vector * kTile + row;
      target[0] = x.x, target[kTile] = x.y, target[2 * kTile] = x.z, target[3 * kTile] = x.w;
    }
    for (int i = threadIdx.x; i < kDepth * kTile; i += BasisLayout::kThreads) {
      const int k = base + i / kTile, column = first_column + i % kTile;
      right_elements[i] = k < kRank && column < kRank ? p.basis[k * kRank + column] : 0;
    }
    __syncthreads();
    tile.add(left, right);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int64_t row = first_row + TileSums::row(i);
    if (row >= p.target.rows) continue;
    auto* target = static_cast<float*>(p.target.data) + row * p.target.pitch;
#pragma unroll
    for (int half = 0; half < 2; ++half)
      if (const int column = first_column + TileSums::column(4 * half); column < p.target.pitch)
        *reinterpret_cast<float4*>(target + column) = tile.four(i, half);
  }
}

}  // namespace alsbench
