// SPDX-License-Identifier: Apache-2.0
// A row's tiles shared by the warps of a block: as team.cuh, of factors that are bytes.
#pragma once

#include "kernels/cuda/mma/byte_multiply.cuh"
#include "kernels/cuda/mma/team.cuh"

namespace alsbench {

template <int kRank_, typename Byte = Int8>
struct ByteTeamPart : TeamPart<kRank_> {
  using Team = TeamPart<kRank_>;
  static constexpr int kRank = kRank_;
  static constexpr int kCopySlots = 1, kFetchSlot = Team::kSlots > 4 ? 2 : Team::kSlots - 1;
  using Sums = SumOf<Byte>[Team::kTiles][4];

  // As TeamPart::multiply.
  template <typename, typename Between>
  static __device__ __forceinline__ void multiply(Sums& sums, uint32_t stage, int lane, int member,
                                                  Between between) {
    using Operands = ByteOperands<kRank>;
    constexpr MmaLayout kLayout = Team::kLayout;
    constexpr MmaTeam kShares = Team::kShares;
    constexpr int kPairs = Team::kPairs, kRounds = Team::kRounds, kSlots = Team::kSlots;
    const Operands operands(stage, lane);
    uint32_t a[kRounds][4];
    Team::for_rounds(member, [&](int k, int row) {
      uint32_t raw[4];
      operands.load(raw, row > 0 ? row : 0);
      Operands::a(a[k], raw);
      if (!kLayout.has_rest() && k == 0) operands.put_ratings_in_a(a[k], member == 0);
    });
    uint32_t raw[2][4];
    operands.load(raw[0], 0);
#pragma unroll
    for (int j = 0; j < kPairs; ++j) {
      uint32_t b[4];
      if (j + 1 < kPairs) operands.load(raw[(j + 1) % 2], j + 1);  // while the products of j run
      Operands::b(b, raw[j % 2]);
      if (!kLayout.has_rest() && j == kPairs - 1) operands.put_ratings_in_b(b);
#pragma unroll
      for (int k = 0; k < kRounds; ++k) {
        if (j >= kShares.length(k)) continue;
        SumOf<Byte>(*tiles)[4] = sums + kShares.first_tile(k) + 2 * j;
        multiply_add(tiles[0], a[k], b[0], b[1]);
        multiply_add(tiles[1], a[k], b[2], b[3]);
      }
      if (j + 1 < kSlots) between(j);
    }
    if constexpr (kLayout.has_rest()) {
      const uint32_t(&rest)[2] = operands.rest();
#pragma unroll
      for (int k = 0; k < kRounds; ++k)
        multiply_add(sums[kShares.rest_tile(k)], a[k], rest[0], rest[1]);
      if constexpr (kLayout.rest_has_features()) {
        const uint32_t corner[4] = {rest[0], 0, rest[1], 0};
        multiply_add(sums[kShares.corner()], corner, rest[0], rest[1]);
      }
    }
    between(kSlots - 1);
  }
};

// This warp's tiles of A_u's sums, and of b_u's, from those of bytes. Those of no row or
// right of the diagonal are anything.
template <typename Part, typename Word>
__device__ __forceinline__ void scale_team_sums(float (&result)[Part::kTiles][4],
                                                const Word (&sums)[Part::kTiles][4],
                                                const float* scales, int member) {
  constexpr MmaTeam kShares = Part::kShares;
  const int lane = fresh_lane();
  Part::for_rounds(member, [&](int k, int row) {
    const int first_row = row > 0 ? 16 * row : 0;
#pragma unroll
    for (int j = 0; j < 2 * kShares.length(k); ++j) {
      const int tile = kShares.first_tile(k) + j;
      scale_tile(result[tile], sums[tile], scales, first_row, 8 * j, lane);
    }
    if constexpr (Part::kLayout.has_rest())
      scale_tile(result[kShares.rest_tile(k)], sums[kShares.rest_tile(k)], scales, first_row,
                 16 * Part::kPairs, lane);
  });
  if constexpr (Part::kLayout.has_rest())
    scale_tile(result[kShares.corner()], sums[kShares.corner()], scales, 16 * Part::kPairs,
               16 * Part::kPairs, lane);
}

}  // namespace alsbench
