// SPDX-License-Identifier: Apache-2.0
// How a warp of normal_equations/mma writes A_u and b_u from its tiles: A_u in strips of 16 rows
// through shared memory, where a strip lies as it does in the matrix, so it leaves in whole
// vectors.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/mma/multiply.cuh"
#include "kernels/cuda/normal_equations/mma_parameters.cuh"

namespace alsbench {

// One warp copies `count` elements, whose addresses are both multiples of kAlignedBytes.
template <int kAlignedBytes, typename Output>
__device__ __forceinline__ void copy_strip(Output* target, const Output* strip, int count,
                                           int lane) {
  using Vector = typename RawVector<kAlignedBytes>::Type;
  const int vectors = count * static_cast<int>(sizeof(Output)) / kAlignedBytes;
#pragma unroll 4
  for (int i = lane; i < vectors; i += 32)
    store_streaming(reinterpret_cast<Vector*>(target) + i,
                    reinterpret_cast<const Vector*>(strip)[i]);
}

template <int kRank, typename Output>
struct MmaWriter {
  using Sums = MmaSums<kRank>;

  Output* strip;   // of this warp, 16 x kRank
  float diagonal;  // added to A_u's
  float scale;     // A_u's
  int lane;

  // Element e of a lane's sums: its row and column in the tile.
  __device__ __forceinline__ int row_in_tile(int e) const { return lane / 4 + e / 2 * 8; }
  __device__ __forceinline__ int column_in_tile(int e) const { return lane % 4 * 2 + e % 2; }

  // Puts an element at (row of the strip, column), where the matrix has it.
  __device__ __forceinline__ void put(int strip_row, int first_row, int column, float value) const {
    if (first_row + strip_row >= kRank || column >= kRank) return;
    const float scaled[1] = {value * scale};
    store_vector(strip + strip_row * kRank + column, scaled);
  }
  // A tile left of the diagonal block, or right of it: both neighbours at once.
  __device__ __forceinline__ void put_tile(const float (&sums)[4], int first_row,
                                           int first_column) const {
#pragma unroll
    for (int e = 0; e < 4; e += 2) {
      const int row = row_in_tile(e), column = first_column + column_in_tile(e);
      if constexpr (kRank % 2 == 0) {
        const float two[2] = {sums[e] * scale, sums[e + 1] * scale};
        if (first_row + row < kRank && column < kRank)
          store_vector(strip + row * kRank + column, two);
      } else {
        put(row, first_row, column, sums[e]);
        put(row, first_row, column + 1, sums[e + 1]);
      }
    }
  }
  // The same, transposed: a tile whose columns [offset, offset + 8) are the strip's rows.
  __device__ __forceinline__ void put_mirrored(const float (&sums)[4], int first_row, int offset,
                                               int tile_row) const {
#pragma unroll
    for (int e = 0; e < 4; ++e)
      put(offset + column_in_tile(e), first_row, tile_row + row_in_tile(e), sums[e]);
  }
  // A tile on the diagonal: its lower half and the mirror of that. `offset` of its columns, in the
  // strip.
  __device__ __forceinline__ void put_diagonal(const float (&sums)[4], int first_row,
                                               int offset) const {
#pragma unroll
    for (int e = 0; e < 4; ++e) {
      const int row = row_in_tile(e), column = offset + column_in_tile(e);
      const float value = column == row ? sums[e] + diagonal : sums[e];
      if (column <= row) put(row, first_row, first_row + column, value);
      if (column < row) put(column, first_row, first_row + row, sums[e]);
    }
  }

  // Rows [16 s, 16 s + 16) of A_u.
  template <int s>
  __device__ __forceinline__ void fill_strip(const Sums& sums) const {
    constexpr MmaLayout kLayout{kRank};
    constexpr int kPairs = kLayout.pairs(), kFirst = 16 * s;
    if constexpr (s < kPairs) {
#pragma unroll
      for (int j = 0; j < 2 * s; ++j) put_tile(sums[kLayout.tile(s, j)], kFirst, 8 * j);
      put_diagonal(sums[kLayout.tile(s, 2 * s)], kFirst, 0);
      put_diagonal(sums[kLayout.tile(s, 2 * s + 1)], kFirst, 8);
#pragma unroll
      for (int i = s + 1; i < kPairs; ++i) {
        put_mirrored(sums[kLayout.tile(i, 2 * s)], kFirst, 0, 16 * i);
        put_mirrored(sums[kLayout.tile(i, 2 * s + 1)], kFirst, 8, 16 * i);
      }
      if constexpr (kLayout.has_rest()) put_tile(sums[kLayout.rest_tile(s)], kFirst, 16 * kPairs);
    } else {
#pragma unroll
      for (int i = 0; i < kPairs; ++i) put_mirrored(sums[kLayout.rest_tile(i)], kFirst, 0, 16 * i);
      // The corner is 8 high; the other half of its tile is zero and outside of the matrix.
      put_diagonal(sums[kLayout.rest_tile(kPairs)], kFirst, 0);
    }
  }

  template <int s = 0>
  __device__ __forceinline__ void write_matrix(const Sums& sums, Output* matrix) const {
    if constexpr (16 * s < kRank) {
      constexpr int kSize = sizeof(Output);
      constexpr int kAligned = kRank % 4 == 0 || (kRank % 2 == 0 && kSize == 4) ? 16
                               : kRank % 2 == 0                                 ? 8
                                                                                : kSize;
      __syncwarp();
      fill_strip<s>(sums);
      __syncwarp();
      constexpr int kRows = kRank - 16 * s < 16 ? kRank - 16 * s : 16;
      copy_strip<kAligned>(matrix + 16 * s * kRank, strip, kRows * kRank, lane);
      write_matrix<s + 1>(sums, matrix);
    }
  }
};

// Values that the rows of a batch have in common.
template <int kRank, typename Output>
struct MmaTarget {
  const UpdateParams& p;
  Output* strip;  // of the warp, in shared memory

  // A_u (if wanted) and b_u of batch row `row` with `count` ratings.
  template <bool kWriteMatrix>
  __device__ __forceinline__ void write(const MmaSums<kRank>& sums, int row, int count) const {
    const int pitch = p.solution.pitch;
    write_bias<kRank>(sums, p.bias + int64_t{row} * pitch, pitch,
                      inverse_power(p.ratings.half_scale));
    if constexpr (kWriteMatrix) {
      const float ratings = static_cast<float>(count);
      // FP16 holds A_u / n_u, since lambda n_u alone overflows it.
      const float scale = sizeof(Output) == 2 && count > 0 ? 1.0f / ratings : 1.0f;
      const MmaWriter<kRank, Output> writer{strip, count > 0 ? p.lambda * ratings : 1.0f, scale,
                                            fresh_lane()};
      writer.write_matrix(sums, static_cast<Output*>(p.matrices) + int64_t{row} * (kRank * kRank));
    }
  }
};

}  // namespace alsbench
