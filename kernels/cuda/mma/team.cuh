// A row's tiles shared by the warps of a block, for ranks whose triangle one warp does not hold:
// each warp multiplies its rows of tiles with the same factor rows in shared memory. Used by
// normal_equations.
#pragma once

#include "kernels/cuda/mma/multiply.cuh"

namespace alsbench {

template <int kRank_, int kMember_>
struct TeamPart {
  static constexpr int kRank = kRank_, kMember = kMember_;
  static constexpr MmaLayout kLayout{kRank};
  static constexpr int kTeam = mma_team(kLayout).warps;
  static constexpr int kTiles = mma_team(kLayout).tiles;
  static constexpr int kLastRow = mma_team(kLayout).last_row[kMember];
  static constexpr int kSlots = kLastRow > 0 ? kLastRow + 1 : 1;
  using Sums = float[kTiles][4];

  // Calls visit(row, first tile of the row) for the rows of tiles [from, kLastRow] of this warp.
  template <typename Visit>
  static __device__ __forceinline__ void for_rows(int from, Visit visit) {
    constexpr MmaTeam kShares = mma_team(kLayout);
#pragma unroll
    for (int i = from; i <= kLastRow; ++i)
      if (kShares.owner[i] == kMember) visit(i, kShares.first_tile[i]);
  }

  // sums += this warp's tiles of Theta^T Theta of the 16 ratings in a stage; see multiply_group.
  // Here the operands B are read one after another and the operands A kept.
  template <typename Factor, typename Between>
  static __device__ __forceinline__ void multiply(Sums& sums, uint32_t stage, int lane,
                                                  Between between) {
    constexpr MmaTeam kShares = mma_team(kLayout);
    constexpr int kPairs = kLayout.pairs();
#pragma unroll
    for (int step = 0; step < kMmaSteps<Factor>; ++step) {
      const MmaOperands<kRank, Factor> operands(stage, lane, step);
      uint32_t a[kLastRow + 1][4];
      for_rows(0, [&](int i, int) {
        operands.load_a(a[i], i);
        if (!kLayout.has_rest() && i == kPairs - 1) operands.put_ratings_in_a(a[i]);
      });
#pragma unroll
      for (int j = 0; j <= kLastRow; ++j) {
        uint32_t b[4];
        operands.load_b(b, j);
        if (!kLayout.has_rest() && j == kPairs - 1) operands.put_ratings_in_b(b);
        for_rows(j, [&](int i, int tile) {
          multiply_add<Factor>(sums[tile + 2 * j], a[i], b[0], b[1]);
          multiply_add<Factor>(sums[tile + 2 * j + 1], a[i], b[2], b[3]);
        });
        if (step == 0 && j + 1 < kSlots) between(j);
      }
      if constexpr (kLayout.has_rest()) {
        const uint32_t(&rest)[2] = operands.rest();
        for_rows(0, [&](int i, int tile) {
          multiply_add<Factor>(sums[tile + 2 * (i + 1)], a[i], rest[0], rest[1]);
        });
        const uint32_t corner[4] = {rest[0], 0, rest[1], 0};
        if constexpr (kShares.owner[kPairs] == kMember)
          multiply_add<Factor>(sums[kShares.first_tile[kPairs]], corner, rest[0], rest[1]);
      }
    }
    between(kSlots - 1);
  }
};

// What this warp's tiles hold of b_u, which is the product with the two last columns: the rating's
// parts. The padding of `bias` is left as it is.
template <int kRank, int kMember>
__device__ __forceinline__ void write_team_bias(const typename TeamPart<kRank, kMember>::Sums& sums,
                                                float* bias, float scale) {
  constexpr MmaLayout kLayout{kRank};
  constexpr MmaTeam kShares = mma_team(kLayout);
  constexpr int kPairs = kLayout.pairs();
  const int lane = fresh_lane();
  const auto write_rows = [&](const float(&tile)[4], int first_row) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + 8 * half + lane / 4;
      if (lane % 4 == 3 && row < kRank) bias[row] = (tile[2 * half] + tile[2 * half + 1]) * scale;
    }
  };
  if constexpr (kLayout.has_rest()) {
    TeamPart<kRank, kMember>::for_rows(
        0, [&](int i, int tile) { write_rows(sums[tile + 2 * (i + 1)], 16 * i); });
    if constexpr (kShares.owner[kPairs] == kMember)
      write_rows(sums[kShares.first_tile[kPairs]], 16 * kPairs);
  } else if constexpr (kShares.owner[kPairs - 1] == kMember) {
#pragma unroll
    for (int j = 0; j < 2 * kPairs; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e) {  // rows 14 and 15 are the parts
        float value = sums[kShares.first_tile[kPairs - 1] + j][2 + e];
        value += __shfl_xor_sync(0xffffffffu, value, 4);
        const int column = 8 * j + lane % 4 * 2 + e;
        if (lane / 4 == 7 && column < kRank) bias[column] = value * scale;
      }
  }
}

}  // namespace alsbench
