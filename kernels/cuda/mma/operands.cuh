// SPDX-License-Identifier: Apache-2.0
// The operands of the products, as a warp reads them from a stage of shared memory, and the product
// itself, for each element type of the factors. Layouts of fragments: PTX ISA, "Warp Level Matrix
// Multiply-Accumulate", mma.m16n8k16 and m16n8k8.
#pragma once

#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/mma.cuh"
#include "kernels/cuda/mma/layout.cuh"

namespace alsbench {

// Steps of a group: instructions that its 16 ratings take.
template <typename Factor>
constexpr int kMmaSteps = sizeof(Factor) == 2 ? 1 : 2;

// Multiplies fragments by weights of their ratings: none, unless Factor has some.
template <int kRank, typename Factor>
struct OperandWeights {
  __device__ __forceinline__ OperandWeights(uint32_t, int, int) {}
  // Words in pairs, each of the same factors: the first half of the ratings and the second.
  template <typename... Words>
  __device__ __forceinline__ void multiply(Words&...) const {}
};

// A step's fragments are made of blocks of 8 factors and half the step's ratings. Order in an
// operand A of 16 factors: (factors, ratings) = (low, low), (high, low), (low, high), (high, high);
// in two operands B of 8 factors each: (low, low), (low, high), (high, low), (high, high).
template <int kRank, typename Factor>
class MmaOperands {
  static constexpr MmaLayout kLayout = ring_layout<kRank, Factor>();
  static constexpr int kRowBytes = kLayout.row_bytes(), kPairs = kLayout.pairs();
  static constexpr bool kTransposes = sizeof(Factor) == 2;  // ldmatrix does, 16 bits at a time

 public:
  // Of step `step` of the group in the stage at an address of shared memory.
  __device__ __forceinline__ MmaOperands(uint32_t stage, int lane, int step)
      : weights_(stage, lane, step) {
    if constexpr (kTransposes) {
      a_ = stage + (lane % 8 + lane / 16 * 8) * kRowBytes + lane / 8 % 2 * 16;
      b_ = stage + lane % 16 * kRowBytes + lane / 16 * 16;
    } else {
      a_ = b_ = stage + (step * 8 + lane % 4) * kRowBytes + lane / 4 * 4;
    }
    load_ratings(stage + kLayout.ratings_at() + step * 32, lane);
    if constexpr (kLayout.rest_has_features()) {
      if constexpr (kTransposes)
        load_transposed(rest_, stage + lane % 16 * kRowBytes + kPairs * 32);
      else
        load_block(rest_[0], rest_[1], kPairs * 64);
      weights_.multiply(rest_[0], rest_[1]);
    }
    rest_[0] |= ratings_[0], rest_[1] |= ratings_[1];
  }

  // Of the pair `i` of blocks of columns. Both are read: moves of one to the other, whose registers
  // stand in another order, take longer.
  __device__ __forceinline__ void load_a(uint32_t (&a)[4], int i) const {
    if constexpr (kTransposes) {
      load_transposed(a, a_ + i * 32);
    } else {
      load_block(a[0], a[2], i * 64);
      load_block(a[1], a[3], i * 64 + 32);
    }
    weights_.multiply(a[0], a[2], a[1], a[3]);
  }
  __device__ __forceinline__ void load_b(uint32_t (&b)[4], int i) const {
    if constexpr (kTransposes) {
      load_transposed(b, b_ + i * 32);
    } else {
      load_block(b[0], b[1], i * 64);
      load_block(b[2], b[3], i * 64 + 32);
    }
    weights_.multiply(b[0], b[1], b[2], b[3]);
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

 protected:
  uint32_t a_, b_;

 private:
  // A block of 8 floats and the ratings of both halves, `offset` bytes behind the first one.
  __device__ __forceinline__ void load_block(uint32_t& low, uint32_t& high, int offset) const {
    low = load_shared(a_ + offset);
    high = load_shared(a_ + 4 * kRowBytes + offset);
  }
  // As the block of the last 8 columns has them: the ratings' first parts in the 7th column, their
  // second ones in the 8th.
  __device__ __forceinline__ void load_ratings(uint32_t ratings, int lane) {
    ratings_[0] = ratings_[1] = 0;
    if (lane < 24) return;
    constexpr int kPartBytes = kLayout.group() * sizeof(Factor);
    const uint32_t words = ratings + lane / 4 % 2 * kPartBytes + lane % 4 * 4;
    ratings_[0] = load_shared(words);
    ratings_[1] = load_shared(words + 16);
  }

  OperandWeights<kRank, Factor> weights_;
  uint32_t ratings_[2], rest_[2] = {};
};

}  // namespace alsbench
