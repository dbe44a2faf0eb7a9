// SPDX-License-Identifier: Apache-2.0
// A_u and b_u of one row after another in the registers of a warp, as multiply.cuh, of factors that
// are bytes: a group is 32 ratings, and the sums of signed integers are exact.
#pragma once

#include "kernels/cuda/device/bytes.cuh"
#include "kernels/cuda/device/mma.cuh"
#include "kernels/cuda/mma/byte_stream.cuh"
#include "kernels/cuda/mma/byte_sums.cuh"
#include "kernels/cuda/mma/multiply.cuh"

namespace alsbench {

// The operands of a group, as a warp reads them from a stage of shared memory. ldmatrix transposes
// blocks of 8 ratings by 8 pairs of bytes: a word then has two features of two ratings, and a
// permutation sorts them by feature. Both operands have the ratings in the same order.
template <int kRank>
class ByteOperands {
  static constexpr MmaLayout kLayout = ring_layout<kRank, Int8>();
  static constexpr int kPairs = kLayout.pairs();

 public:
  // Of the group in the stage at an address of shared memory.
  __device__ __forceinline__ ByteOperands(uint32_t stage, int lane)
      : rows_(stage + lane * kLayout.row_bytes()) {
    load_ratings(stage + kLayout.ratings_at(), lane);
    rest_[0] = ratings_[0], rest_[1] = ratings_[1];
    if constexpr (kLayout.rest_has_features()) {
      uint32_t raw[4];
      load(raw, kPairs);
      rest_[0] |= even_bytes(raw[0], raw[1]), rest_[1] |= even_bytes(raw[2], raw[3]);
    }
  }

  // The bytes of 16 features, for a(), b().
  __device__ __forceinline__ void load(uint32_t (&raw)[4], int pair) const {
    load_transposed(raw, rows_ + pair * 16);
  }
  // Two operands B of 8 features each, half the ratings a word.
  static __device__ __forceinline__ void b(uint32_t (&b)[4], const uint32_t (&raw)[4]) {
    b[0] = even_bytes(raw[0], raw[1]), b[1] = even_bytes(raw[2], raw[3]);
    b[2] = odd_bytes(raw[0], raw[1]), b[3] = odd_bytes(raw[2], raw[3]);
  }
  static __device__ __forceinline__ void a(uint32_t (&a)[4], const uint32_t (&raw)[4]) {
    a[0] = even_bytes_again(raw[0], raw[1]), a[1] = odd_bytes_again(raw[0], raw[1]);
    a[2] = even_bytes_again(raw[2], raw[3]), a[3] = odd_bytes_again(raw[2], raw[3]);
  }
  // The ratings stand in the last two columns, in shared memory next to them: into the operand that
  // has these columns.
  __device__ __forceinline__ void put_ratings_in_a(uint32_t (&a)[4], bool wanted = true) const {
    a[1] |= wanted ? ratings_[0] : 0, a[3] |= wanted ? ratings_[1] : 0;
  }
  __device__ __forceinline__ void put_ratings_in_b(uint32_t (&b)[4]) const {
    b[2] |= ratings_[0], b[3] |= ratings_[1];
  }
  // The block of columns left over by the pairs, with the ratings: an operand B.
  __device__ __forceinline__ const uint32_t (&rest() const)[2] { return rest_; }

 private:
  // As the block of the last 8 columns has them: the ratings' first parts in the 7th column, their
  // second ones in the 8th.
  __device__ __forceinline__ void load_ratings(uint32_t ratings, int lane) {
    ratings_[0] = ratings_[1] = 0;
    if (lane < 24) return;
    const uint32_t words = ratings + lane / 4 % 2 * kLayout.group() + lane % 4 * 4;
    ratings_[0] = load_shared(words);
    ratings_[1] = load_shared(words + kLayout.group() / 2);
  }

  uint32_t rows_;
  uint32_t ratings_[2], rest_[2];
};

// All tiles of a row in one warp.
template <int kRank_, typename Byte = Int8>
struct ByteTriangle {
  static constexpr int kRank = kRank_, kTeam = 1;
  static constexpr bool kWarpgroups = false;
  static constexpr MmaLayout kLayout = ring_layout<kRank, Byte>();
  static constexpr int kTiles = kLayout.tiles(), kSlots = alsbench::kSlots<kRank>;
  // All copies at once, and the rest early: what comes after the last product overlaps with none.
  static constexpr int kCopySlots = 1, kFetchSlot = kSlots > 4 ? 2 : kSlots - 1;
  using Sums = SumOf<Byte>[kTiles][4];
  static __device__ __forceinline__ constexpr int member() { return 0; }

  // As multiply_group.
  template <typename, typename Between>
  static __device__ __forceinline__ void multiply(Sums& sums, uint32_t stage, int lane, int,
                                                  Between between) {
    using Operands = ByteOperands<kRank>;
    constexpr int kPairs = kLayout.pairs(), kFragments = kPairs > 0 ? kPairs : 1;
    const Operands operands(stage, lane);
    uint32_t raw[2][4], b[kFragments][4];
    if constexpr (kPairs > 0) operands.load(raw[0], 0);
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      if (i + 1 < kPairs) operands.load(raw[(i + 1) % 2], i + 1);
      uint32_t a[4];
      Operands::b(b[i], raw[i % 2]);
      Operands::a(a, raw[i % 2]);
      if (!kLayout.has_rest() && i == kPairs - 1) {
        operands.put_ratings_in_a(a);
        operands.put_ratings_in_b(b[i]);
      }
#pragma unroll
      for (int j = 0; j <= i; ++j) {
        multiply_add(sums[kLayout.tile(i, 2 * j)], a, b[j][0], b[j][1]);
        multiply_add(sums[kLayout.tile(i, 2 * j + 1)], a, b[j][2], b[j][3]);
      }
      if constexpr (kLayout.has_rest())
        multiply_add(sums[kLayout.rest_tile(i)], a, operands.rest()[0], operands.rest()[1]);
      if (i + 1 < kSlots) between(i);
    }
    if constexpr (kLayout.rest_has_features()) {
      const uint32_t corner[4] = {operands.rest()[0], 0, operands.rest()[1], 0};
      multiply_add(sums[kLayout.rest_tile(kPairs)], corner, operands.rest()[0], operands.rest()[1]);
    }
    between(kSlots - 1);
  }
};

}  // namespace alsbench
