// SPDX-License-Identifier: Apache-2.0
// The weights of Jacobi preconditioning from tensor-core sums, whose lanes hold A_u's diagonal.
#pragma once

#include "kernels/cuda/device/lane.cuh"
#include "kernels/cuda/mma/layout.cuh"
#include "kernels/cuda/solve/jacobi.cuh"

namespace alsbench {

// The weights of rows first_row to first_row + 7, from the block of 8 x 8 on A_u's diagonal: half 0
// or 1 of a tile, its first or second 8 rows.
template <int kRank>
__device__ __forceinline__ void write_block_weights(const float (&tile)[4], int half, int first_row,
                                                    float added, float* weights) {
  const int lane = fresh_lane(), row = first_row + lane / 4;
  const float diagonal = lane / 4 % 2 != 0 ? tile[2 * half + 1] : tile[2 * half];
  if (lane % 4 == lane / 8 && row < kRank) weights[row] = jacobi_weight(diagonal + added);
}

// All weights of a warp's sums; `added` is lambda n_u. Barriers are the caller's.
template <int kRank>
__device__ __forceinline__ void write_weights(const MmaSums<kRank>& sums, float added,
                                              float* weights) {
  constexpr MmaLayout kLayout{kRank};
#pragma unroll
  for (int block = 0; block < kLayout.columns() / 8; ++block) {
    const bool corner = block == 2 * kLayout.pairs();
    const int tile = corner ? kLayout.rest_tile(kLayout.pairs()) : kLayout.tile(block / 2, block);
    write_block_weights<kRank>(sums[tile], corner ? 0 : block % 2, 8 * block, added, weights);
  }
}

}  // namespace alsbench
