// SPDX-License-Identifier: Apache-2.0
// Products of FP32's precision on tensor cores: a factor is the sum of two halves, 22 bits
// together, and three of the four products of two factors are summed; the fourth is below 2^-22 of
// the first. Tensor cores truncate what they add, so the products of a group of ratings are summed
// by themselves, small ones first. They are added to the row's sums as floats, which rounds to
// nearest.
#pragma once

#include "kernels/cuda/mma/team.cuh"

namespace alsbench {

// One of the two. A factor row has all first halves, then all second ones.
struct SplitHalf {
  uint16_t bits;
  static __device__ __forceinline__ SplitHalf of(float value) { return {float_to_half(value)}; }
  __device__ __forceinline__ float value() const { return half_to_float(bits); }
};
template <>
constexpr bool kIsSplit<SplitHalf> = true;

// The operands of both halves. The ratings stand among the first ones alone.
template <int kRank>
class HalvesOperands : public MmaOperands<kRank, SplitHalf> {
  using High = MmaOperands<kRank, SplitHalf>;
  static constexpr MmaLayout kLayout = ring_layout<kRank, SplitHalf>();
  static constexpr int kLowAt = kLayout.columns() * 2;  // bytes

 public:
  __device__ __forceinline__ HalvesOperands(uint32_t stage, int lane) : High(stage, lane, 0) {
    if constexpr (kLayout.rest_has_features())
      load_transposed(low_rest_,
                      stage + lane % 16 * kLayout.row_bytes() + kLayout.pairs() * 32 + kLowAt);
  }
  __device__ __forceinline__ void load_low_a(uint32_t (&a)[4], int i) const {
    load_transposed(a, this->a_ + i * 32 + kLowAt);
  }
  __device__ __forceinline__ void load_low_b(uint32_t (&b)[4], int i) const {
    load_transposed(b, this->b_ + i * 32 + kLowAt);
  }
  __device__ __forceinline__ const uint32_t (&low_rest() const)[2] { return low_rest_; }

 private:
  uint32_t low_rest_[2] = {};
};

// An operand A or B with its second halves.
template <int kWords>
struct SplitOperand {
  uint32_t high[kWords], low[kWords];
};

// A team's tiles, of split factors.
template <int kRank_>
struct HalvesPart : TeamPart<kRank_, false, true> {
  using Team = TeamPart<kRank_, false, true>;
  static constexpr int kRank = kRank_;
  // One at least, as of a rank whose columns are no pair.
  static constexpr int kRounds = Team::kRounds > 0 ? Team::kRounds : 1;
  static constexpr int kSlots = Team::kSlots > 0 ? Team::kSlots : 1;
  static constexpr int kFetchSlot = kSlots - 1;
  using Sums = typename Team::Sums;

  // As TeamPart::multiply.
  template <typename, typename Between>
  static __device__ __forceinline__ void multiply(Sums& sums, uint32_t stage, int lane, int member,
                                                  Between between) {
    constexpr MmaLayout kLayout = Team::kLayout;
    constexpr MmaTeam kShares = Team::kShares;
    const HalvesOperands<kRank> operands(stage, lane);
    SplitOperand<4> a[kRounds];
    Team::for_rounds(member, [&](int k, int row) {
      operands.load_a(a[k].high, row > 0 ? row : 0);
      operands.load_low_a(a[k].low, row > 0 ? row : 0);
      if (!kLayout.has_rest() && k == 0) operands.put_ratings_in_a(a[k].high, member == 0);
    });
#pragma unroll
    for (int j = 0; j < Team::kPairs; ++j) {
      SplitOperand<4> b;
      operands.load_b(b.high, j);
      operands.load_low_b(b.low, j);
      if (!kLayout.has_rest() && j == Team::kPairs - 1) operands.put_ratings_in_b(b.high);
      add_pairs(sums, a, b, j);
      if (j + 1 < kSlots) between(j);
    }
    if constexpr (kLayout.has_rest()) {
      const uint32_t(&high)[2] = operands.rest();
      const uint32_t(&low)[2] = operands.low_rest();
      float fresh[kRounds][4];
#pragma unroll
      for (int k = 0; k < Team::kRounds; ++k) multiply_to(fresh[k], a[k].high, low[0], low[1]);
#pragma unroll
      for (int k = 0; k < Team::kRounds; ++k)
        multiply_add<Half>(fresh[k], a[k].low, high[0], high[1]);
#pragma unroll
      for (int k = 0; k < Team::kRounds; ++k) {
        multiply_add<Half>(fresh[k], a[k].high, high[0], high[1]);
        add_tile(sums[kShares.rest_tile(k)], fresh[k]);
      }
      if constexpr (kLayout.rest_has_features()) {
        const uint32_t corner[4] = {high[0], 0, high[1], 0};
        const uint32_t low_corner[4] = {low[0], 0, low[1], 0};
        float sum[4];
        multiply_to(sum, corner, low[0], low[1]);
        multiply_add<Half>(sum, low_corner, high[0], high[1]);
        multiply_add<Half>(sum, corner, high[0], high[1]);
        add_tile(sums[kShares.corner()], sum);
      }
    }
    between(kSlots - 1);
  }

 private:
  static __device__ __forceinline__ void add_tile(float (&sum)[4], const float (&tile)[4]) {
#pragma unroll
    for (int e = 0; e < 4; ++e) sum[e] += tile[e];
  }
  template <typename Visit>
  static __device__ __forceinline__ void for_tiles(int j, Visit visit) {
#pragma unroll
    for (int k = 0; k < kRounds; ++k)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        if (j < Team::kShares.length(k)) visit(k, half);
  }
  // The tiles of a pair of blocks of columns: one product after another of all of them, since each
  // waits for the one before it of the same tile.
  static __device__ __forceinline__ void add_pairs(Sums& sums, const SplitOperand<4> (&a)[kRounds],
                                                   const SplitOperand<4>& b, int j) {
    float fresh[2 * kRounds][4];
    for_tiles(j, [&](int k, int half) {
      multiply_to(fresh[2 * k + half], a[k].high, b.low[2 * half], b.low[2 * half + 1]);
    });
    for_tiles(j, [&](int k, int half) {
      multiply_add<Half>(fresh[2 * k + half], a[k].low, b.high[2 * half], b.high[2 * half + 1]);
    });
    for_tiles(j, [&](int k, int half) {
      multiply_add<Half>(fresh[2 * k + half], a[k].high, b.high[2 * half], b.high[2 * half + 1]);
    });
    for_tiles(j, [&](int k, int half) {
      add_tile(sums[Team::kShares.first_tile(k) + 2 * j + half], fresh[2 * k + half]);
    });
  }
};

}  // namespace alsbench
