// SPDX-License-Identifier: Apache-2.0
// The weights of Jacobi preconditioning from tensor-core sums, whose lanes hold A_u's diagonal:
// first the lanes put it in shared memory where the weights will be, then every thread makes those
// of the elements that it owns. Barriers are the caller's.
#pragma once

#include "kernels/cuda/device/lane.cuh"
#include "kernels/cuda/device/shared.cuh"
#include "kernels/cuda/mma/byte_sums.cuh"
#include "kernels/cuda/solve/jacobi.cuh"

namespace alsbench {

// Elements first_row to first_row + 7, from the block of 8 x 8 on A_u's diagonal: half 0 or 1 of a
// tile, its first or second 8 rows.
template <int kRank, typename Word>
__device__ __forceinline__ void put_block_diagonal(const Word (&tile)[4], int half, int first_row,
                                                   uint32_t target) {
  const int lane = fresh_lane(), row = first_row + lane / 4;
  const Word sum = lane / 4 % 2 != 0 ? tile[2 * half + 1] : tile[2 * half];
  store_shared_if(lane % 4 == lane / 8 && row < kRank, target + 4 * row,
                  __float_as_uint(value_of(sum)));
}

// Of a warp's sums.
template <int kRank, typename Sums>
__device__ __forceinline__ void put_diagonal(const Sums& sums, uint32_t target) {
  constexpr MmaLayout kLayout{kRank};
#pragma unroll
  for (int block = 0; block < kLayout.columns() / 8; ++block) {
    const bool corner = block == 2 * kLayout.pairs();
    const int tile = corner ? kLayout.rest_tile(kLayout.pairs()) : kLayout.tile(block / 2, block);
    put_block_diagonal<kRank>(tiles_of(sums)[tile], corner ? 0 : block % 2, 8 * block, target);
  }
}

// Makes the weights of the elements that `owned` visits; `added` is lambda n_u, `scales` null or
// those of ScaledSums.
template <typename Owned>
__device__ __forceinline__ void make_weights(const Owned& owned, float added, const float* scales,
                                             float* weights) {
  owned.for_each([&](int, int e) {
    const float square = scales != nullptr ? scales[e] * scales[e] : 1.0f;
    weights[e] = jacobi_weight(fmaf(weights[e], square, added));
  });
}

}  // namespace alsbench
