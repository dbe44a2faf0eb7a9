// SPDX-License-Identifier: Apache-2.0
// How a warp of a team writes its tiles of A_u, and its part of b_u: straight from registers. Four
// lanes have a row of a tile, and eight lanes a column: both the tile and its mirror leave in
// sectors of 32 bytes where elements are floats.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/mma/team.cuh"
#include "kernels/cuda/normal_equations/mma_parameters.cuh"

namespace alsbench {

template <int kRank, typename Output, typename Part = TeamPart<kRank>>
struct TeamWriter {
  using Sums = typename Part::Sums;
  static constexpr MmaLayout kLayout{kRank};
  static constexpr int kPairs = kLayout.pairs();

  const UpdateParams& p;
  int member;
  int lane = fresh_lane();

  // A_u (if wanted) and b_u of batch row `row` with `count` ratings.
  template <bool kWriteMatrix>
  __device__ __forceinline__ void write(const Sums& sums, int row, int count) const {
    write<kWriteMatrix>(sums, row, count, inverse_power(p.ratings.half_scale));
  }
  // The same of sums whose ratings are still to be multiplied by `bias_scale`.
  template <bool kWriteMatrix>
  __device__ __forceinline__ void write(const Sums& sums, int row, int count,
                                        float bias_scale) const {
    const int pitch = p.solution.pitch;
    float* bias = p.bias + int64_t{row} * pitch;
    write_team_bias<Part>(sums, member, bias, bias_scale);
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

 private:
  // Of a lane's elements, the first: its row and column in the tile. The others are one column and
  // eight rows further on.
  __device__ __forceinline__ int row_in_tile() const { return lane / 4; }
  __device__ __forceinline__ int column_in_tile() const { return lane % 4 * 2; }

  // A tile below the diagonal blocks of 16 x 16, at (first_row, kColumn), and its mirror. Rows from
  // the rank on are left out unless `kAllRows`.
  template <int kColumn, bool kAllRows>
  __device__ __forceinline__ void put(const float (&tile)[4], Output* matrix, int first_row,
                                      float scale) const {
    const int row = first_row + row_in_tile(), column = kColumn + column_in_tile();
    Output* own = matrix + row * kRank + column;
    Output* mirror = matrix + column * kRank + row;
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      if (!kAllRows && row + 8 * half >= kRank) continue;
      const float both[2] = {tile[2 * half] * scale, tile[2 * half + 1] * scale};
      if constexpr (kRank % 2 == 0) {
        if (kColumn + 8 <= kRank || column < kRank) store_vector(own + 8 * half * kRank, both);
      }
#pragma unroll
      for (int e = 0; e < 2; ++e) {
        if (kColumn + 8 > kRank && column + e >= kRank) continue;
        const float one[1] = {both[e]};
        if (kRank % 2 != 0) store_vector(own + 8 * half * kRank + e, one);
        store_vector(mirror + e * kRank + 8 * half, one);
      }
    }
  }
  // A tile of a diagonal block, whose columns begin `offset` behind its rows: what lies on and
  // below the diagonal, and its mirror.
  __device__ __forceinline__ void put_diagonal(const float (&tile)[4], Output* matrix, int first,
                                               int offset, const float (&added)[2]) const {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int row = first + row_in_tile() + e / 2 * 8;
      const int column = first + offset + column_in_tile() + e % 2;
      if (column > row || row >= kRank) continue;
      const float value[1] = {(column == row ? tile[e] + added[0] : tile[e]) * added[1]};
      store_vector(matrix + row * kRank + column, value);
      if (column < row) store_vector(matrix + column * kRank + row, value);
    }
  }

  // The tiles of a round from column 8 j on.
  template <int k, int j = 0>
  __device__ __forceinline__ void put_row(const Sums& sums, Output* matrix, int block, float scale,
                                          const float (&added)[2]) const {
    constexpr MmaTeam kShares = Part::kShares;
    if constexpr (j < 2 * kShares.length(k)) {
      const float(&tile)[4] = sums[kShares.first_tile(k) + j];
      if (j / 2 < block)
        put<8 * j, 16 * kPairs <= kRank>(tile, matrix, 16 * block, scale);
      else if (j / 2 == block)
        put_diagonal(tile, matrix, 16 * block, j % 2 * 8, added);
      put_row<k, j + 1>(sums, matrix, block, scale, added);
    }
  }
  template <int k = 0>
  __device__ __forceinline__ void put_rounds(const Sums& sums, Output* matrix, float scale,
                                             const float (&added)[2]) const {
    constexpr MmaTeam kShares = Part::kShares;
    if constexpr (k < kShares.rounds) {
      const int block = kShares.row(k, 0) - member;
      put_row<k>(sums, matrix, block, scale, added);
      if constexpr (kLayout.has_rest()) {
        // The mirror of a block of columns behind the pairs.
        if (block >= 0)
          put<16 * kPairs, true>(sums[kShares.rest_tile(k)], matrix, 16 * block, scale);
      }
      put_rounds<k + 1>(sums, matrix, scale, added);
    }
  }

  __device__ __forceinline__ void write_matrix(const Sums& sums, Output* matrix, float diagonal,
                                               float scale) const {
    const float added[2] = {diagonal, scale};
    put_rounds(sums, matrix, scale, added);
    if (kLayout.has_rest() && member == Part::kCornerOwner)
      put_diagonal(sums[Part::kShares.corner()], matrix, 16 * kPairs, 0, added);
  }
};

}  // namespace alsbench
