// SPDX-License-Identifier: Apache-2.0
// A row's tiles shared by the warps of a block, for ranks whose triangle one warp does not hold:
// each warp multiplies its rows of tiles with the same factor rows in shared memory, all of them by
// the same code.
#pragma once

#include "kernels/cuda/mma/bias.cuh"
#include "kernels/cuda/mma/multiply.cuh"

namespace alsbench {

// kWarpgroups: rows of tiles lie as wgmma has them. kHalves: a factor is the sum of two halves.
template <int kRank_, bool kWarpgroups_ = false, bool kHalves_ = false>
struct TeamPart {
  static constexpr int kRank = kRank_;
  static constexpr bool kWarpgroups = kWarpgroups_;
  static constexpr MmaLayout kLayout = team_layout(kRank, kWarpgroups, kHalves_);
  static constexpr MmaTeam kShares = mma_team(kLayout);
  static constexpr int kTeam = kShares.warps, kTiles = kShares.tiles, kRounds = kShares.rounds;
  static constexpr int kPairs = kShares.pairs, kSlots = kPairs, kCornerOwner = kTeam - 1;
  static constexpr int kCopySlots = kSlots > 2 ? kSlots - 2 : 1, kFetchSlot = kSlots - 1;
  using Sums = float[kTiles][4];

  // This warp's number, the same for all its lanes, as the compiler then knows. The last warp of a
  // warpgroup has the last of its 64 rows, and so the first number.
  static __device__ __forceinline__ int member() {
    const int warp = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x / 32), 0);
    return kWarpgroups ? kTeam - 1 - warp : warp;
  }

  // Calls visit(round, row of tiles) for all rounds; a row is negative where the warp has none.
  template <typename Visit>
  static __device__ __forceinline__ void for_rounds(int member, Visit visit) {
#pragma unroll
    for (int k = 0; k < kRounds; ++k) visit(k, kShares.row(k, 0) - member);
  }

  // sums += this warp's tiles of Theta^T Theta of the 16 ratings in a stage; see multiply_group.
  // Here the operands B are read one after another and the operands A kept.
  template <typename Factor, typename Between>
  static __device__ __forceinline__ void multiply(Sums& sums, uint32_t stage, int lane, int member,
                                                  Between between) {
#pragma unroll
    for (int step = 0; step < kMmaSteps<Factor>; ++step) {
      const MmaOperands<kRank, Factor> operands(stage, lane, step);
      uint32_t a[kRounds][4];
      for_rounds(member, [&](int k, int row) {
        operands.load_a(a[k], row > 0 ? row : 0);
        if (!kLayout.has_rest() && k == 0) operands.put_ratings_in_a(a[k], member == 0);
      });
#pragma unroll
      for (int j = 0; j < kPairs; ++j) {
        uint32_t b[4];
        operands.load_b(b, j);
        if (!kLayout.has_rest() && j == kPairs - 1) operands.put_ratings_in_b(b);
#pragma unroll
        for (int k = 0; k < kRounds; ++k) {
          if (j >= kShares.length(k)) continue;
          float(*tiles)[4] = sums + kShares.first_tile(k) + 2 * j;
          multiply_add<Factor>(tiles[0], a[k], b[0], b[1]);
          multiply_add<Factor>(tiles[1], a[k], b[2], b[3]);
        }
        if (step == 0 && j + 1 < kSlots) between(j);
      }
      if constexpr (kLayout.has_rest()) {
        const uint32_t(&rest)[2] = operands.rest();
#pragma unroll
        for (int k = 0; k < kRounds; ++k)
          multiply_add<Factor>(sums[kShares.rest_tile(k)], a[k], rest[0], rest[1]);
        if constexpr (kLayout.rest_has_features()) {
          const uint32_t corner[4] = {rest[0], 0, rest[1], 0};
          multiply_add<Factor>(sums[kShares.corner()], corner, rest[0], rest[1]);
        }
      }
    }
    between(kSlots - 1);
  }

  // Makes the tiles that are not used zero: right of the diagonal, or of no row at all.
  static __device__ __forceinline__ void trim(Sums& sums, int member) {
    for_rounds(member, [&](int k, int row) {
      constexpr int kRest = kLayout.has_rest() ? 1 : 0;
#pragma unroll
      for (int tile = 0; tile < 2 * kShares.length(k) + kRest; ++tile) {
        const bool rest = tile == 2 * kShares.length(k);
        const int block = rest ? 0 : tile / 2;
        if (block <= kShares.row(k, kTeam - 1)) continue;  // every warp's row has it
#pragma unroll
        for (int e = 0; e < 4; ++e) {
          float& sum = sums[kShares.first_tile(k) + tile][e];
          sum = block <= row ? sum : 0.0f;
        }
      }
    });
  }
};

// Part of b_u in this warp's tiles: the product with the two last columns, the rating's parts.
// Multiplied by `scale`, and with `Byte` still to be by the features' scales; the padding of `bias`
// is left as it is.
template <typename Part, typename Byte = void, typename Word>
__device__ __forceinline__ void write_team_bias(const Word (&sums)[Part::kTiles][4], int member,
                                                float* bias, float scale) {
  constexpr MmaTeam kShares = Part::kShares;
  constexpr int kRank = Part::kRank;
  using Parts = RatingParts<Byte>;
  constexpr int kPairs = Part::kPairs;
  const int lane = fresh_lane();
  const auto write_rows = [&](const Word(&tile)[4], int first_row) {
#pragma unroll
    for (int half = 0; half < 2; ++half) {
      const int row = first_row + 8 * half + lane / 4;
      if (lane % 4 == 3 && row < kRank)
        bias[row] = Parts::sum(tile[2 * half], tile[2 * half + 1]) * scale;
    }
  };
  if constexpr (Part::kLayout.has_rest()) {
    Part::for_rounds(member, [&](int k, int row) {
      if (row >= 0) write_rows(sums[kShares.rest_tile(k)], 16 * row);
    });
    if (member == Part::kCornerOwner) write_rows(sums[kShares.corner()], 16 * kPairs);
  } else if (member == 0) {
#pragma unroll
    for (int j = 0; j < 2 * kPairs; ++j)
#pragma unroll
      for (int e = 0; e < 2; ++e) {  // rows 14 and 15 are the parts
        const Word own = sums[j][2 + e], other = __shfl_xor_sync(0xffffffffu, own, 4);
        const int column = 8 * j + lane % 4 * 2 + e;
        if (lane / 4 == 7 && column < kRank) bias[column] = Parts::sum(other, own) * scale;
      }
  }
}

}  // namespace alsbench
