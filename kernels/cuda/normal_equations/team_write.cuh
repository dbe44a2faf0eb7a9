// SPDX-License-Identifier: Apache-2.0
// How a warp of a team writes its tiles of A_u, and its part of b_u: blocks of 16 x 16 through
// shared memory, each also mirrored.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/mma/team.cuh"
#include "kernels/cuda/normal_equations/mma_parameters.cuh"

namespace alsbench {

template <int kRank, typename Output>
struct TeamWriter {
  using Part = TeamPart<kRank>;
  using Sums = typename Part::Sums;
  static constexpr MmaLayout kLayout{kRank};
  static constexpr int kPairs = kLayout.pairs(), kPitch = kBoxPitch;

  const UpdateParams& p;
  float* box;  // of this warp, 16 rows of kPitch
  int member;
  int lane = fresh_lane();

  // A_u (if wanted) and b_u of batch row `row` with `count` ratings.
  template <bool kWriteMatrix>
  __device__ __forceinline__ void write(const Sums& sums, int row, int count) const {
    const int pitch = p.solution.pitch;
    float* bias = p.bias + int64_t{row} * pitch;
    write_team_bias<Part>(sums, member, bias, inverse_power(p.ratings.half_scale));
    if (member == 0)
      for (int column = kRank + lane; column < pitch; column += 32) bias[column] = 0;
    if constexpr (kWriteMatrix) {
      const float ratings = static_cast<float>(count);
      // FP16 holds A_u / n_u, since lambda n_u alone overflows it.
      const float scale = sizeof(Output) == 2 && count > 0 ? 1.0f / ratings : 1.0f;
      const float diagonal = count > 0 ? p.lambda * ratings : 1.0f;
      Output* matrix = static_cast<Output*>(p.matrices) + int64_t{row} * (kRank * kRank);
      write_matrix(sums, matrix, diagonal, scale);
    }
  }

  // One tile's elements in the box, from column `first` on; those on and left of the diagonal and
  // their mirror where the block is a diagonal one.
  __device__ __forceinline__ void put(const float (&tile)[4], int first) const {
#pragma unroll
    for (int e = 0; e < 4; ++e)
      box[(lane / 4 + e / 2 * 8) * kPitch + first + lane % 4 * 2 + e % 2] = tile[e];
  }
  __device__ __forceinline__ void put_diagonal(const float (&tile)[4], int first,
                                               float diagonal) const {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int row = lane / 4 + e / 2 * 8, column = first + lane % 4 * 2 + e % 2;
      if (column > row) continue;
      box[row * kPitch + column] = box[column * kPitch + row] =
          column == row ? tile[e] + diagonal : tile[e];
    }
  }
  // The box, or its mirror, as the block of A_u at (16 block_row, 16 block_column).
  template <bool kMirror>
  __device__ __forceinline__ void copy(Output* matrix, int block_row, int block_column,
                                       float scale) const {
    constexpr int kVector = kRank % 4 == 0 ? 4 : kRank % 2 == 0 ? 2 : 1;
#pragma unroll 2
    for (int i = lane; i < 256 / kVector; i += 32) {
      const int r = i / (16 / kVector), c = i % (16 / kVector) * kVector;
      if (16 * block_row + r >= kRank || 16 * block_column + c >= kRank) continue;
      float values[kVector];
#pragma unroll
      for (int k = 0; k < kVector; ++k)
        values[k] = scale * (kMirror ? box[(c + k) * kPitch + r] : box[r * kPitch + c + k]);
      store_vector(matrix + (16 * block_row + r) * kRank + 16 * block_column + c, values);
    }
  }
  __device__ __forceinline__ void copy_both(Output* matrix, int i, int j, float scale) const {
    __syncwarp();
    copy<false>(matrix, i, j, scale);
    if (i != j) copy<true>(matrix, j, i, scale);
    __syncwarp();
  }

  __device__ __forceinline__ void write_matrix(const Sums& sums, Output* matrix, float diagonal,
                                               float scale) const {
    constexpr MmaTeam kShares = Part::kShares;
    Part::for_rounds(member, [&](int k, int i) {
      const float(*tiles)[4] = sums + kShares.first_tile(k);
#pragma unroll
      for (int j = 0; j < kShares.length(k); ++j) {
        if (j > i) continue;  // a tile that is not used
        if (j < i) {
          put(tiles[2 * j], 0);
          put(tiles[2 * j + 1], 8);
        } else {
          put_diagonal(tiles[2 * j], 0, diagonal);
          put_diagonal(tiles[2 * j + 1], 8, diagonal);
        }
        copy_both(matrix, i, j, scale);
      }
      if (!kLayout.has_rest() || i < 0) return;
      put(sums[kShares.rest_tile(k)], 0);
      copy_both(matrix, i, kPairs, scale);
    });
    if (kLayout.has_rest() && member == Part::kCornerOwner) {
      put_diagonal(sums[kShares.corner()], 0, diagonal);
      copy_both(matrix, kPairs, kPairs, scale);
    }
  }
};

}  // namespace alsbench
