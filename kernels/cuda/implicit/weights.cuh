// SPDX-License-Identifier: Apache-2.0
// Factor rows times the roots of their ratings' weights, as the operands of the products read them
// (kernels/shared/implicit_weights.h). Both operands are multiplied, so a row's sums stay symmetric
// and have no negative eigenvalue. Signed bytes were multiplied before they were stored
// (Int8Weights), a row a weight: ratings name the row of theirs, and their values are q.
#pragma once

#include "kernels/cuda/mma/multiply.cuh"
#include "kernels/shared/implicit_weights.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

__device__ __forceinline__ const UpdateParams& update_of(const ImplicitParams& p) {
  return p.update;
}

// In place of a type of factors.
template <typename Factor>
struct Weighted {
  Factor factor;
};
template <typename Factor>
struct MmaFactor<Weighted<Factor>> {
  using Element = Factor;
  static constexpr int kParts = 3;
};

// The scales of a half-iteration. Sums of bytes are scaled anyway: they are A_u's own.
template <typename Factor>
__device__ __forceinline__ WeightScale scale_of(const ImplicitParams& p) {
  const float unit = inverse_power(p.update.ratings.half_scale);
  if constexpr (sizeof(Factor) == 1) return {__float_as_uint(1.0f), __float_as_uint(unit)};
  return weight_scale(__float_as_uint(p.alpha * unit));
}

// A lane's weights of a step are two neighbouring words, one for each half of the step's ratings.
template <int kRank, typename Factor>
struct OperandWeights<kRank, Weighted<Factor>> {
  static constexpr MmaLayout kLayout = ring_layout<kRank, Weighted<Factor>>();
  uint32_t words;

  __device__ __forceinline__ OperandWeights(uint32_t stage, int lane, int step)
      : words(stage + kLayout.part_at(2) + step * 32 + lane % 4 * 8) {}
  // The weights are read each time: registers are scarce.
  __device__ __forceinline__ void multiply(uint32_t& low, uint32_t& high) const {
    uint32_t weights[2];
    load_shared(weights, words);
    low = word_product<Factor>(low, weights[0]);
    high = word_product<Factor>(high, weights[1]);
  }
  __device__ __forceinline__ void multiply(uint32_t& low, uint32_t& high, uint32_t& next_low,
                                           uint32_t& next_high) const {
    uint32_t weights[2];
    load_shared(weights, words);
    low = word_product<Factor>(low, weights[0]);
    high = word_product<Factor>(high, weights[1]);
    next_low = word_product<Factor>(next_low, weights[0]);
    next_high = word_product<Factor>(next_high, weights[1]);
  }
};
// The place of a rating's weight among those of its group, in bytes.
template <typename Factor>
__device__ __forceinline__ uint32_t weight_place(uint32_t rating) {
  if constexpr (sizeof(Factor) == 2)
    return rating / 2 % 4 * 8 + rating / 8 * 4 + rating % 2 * 2;
  else
    return rating / 8 * 32 + rating % 4 * 8 + rating / 4 % 2 * 4;
}

// The root of a number that is not negative, rounded, and the inverse of that; both zero for zero.
// Both are steps of Newton's method from one estimate.
template <typename Factor>
struct RoundedRoot {
  Factor rounded;
  float inverse;

  __device__ __forceinline__ explicit RoundedRoot(float square) {
    const float estimate = square > 0 ? rsqrtf(square) : 0.0f, root = square * estimate;
    rounded = Factor::of(fmaf(fmaf(-root, root, square), 0.5f * estimate, root));
    inverse = fmaf(fmaf(-rounded.value(), estimate, 1.0f), estimate, estimate);
  }
};

// Stores next to a group's factor rows what its ratings have become.
template <typename Part, typename Factor, int kStages, bool kL1>
class WeightedStream : public MmaStream<Part, Weighted<Factor>, kStages, kL1> {
  using Stream = MmaStream<Part, Weighted<Factor>, kStages, kL1>;
  using Stream::kGroup;
  using Stream::kLayout;
  using Stream::lane_;

 public:
  __device__ __forceinline__ WeightedStream(const ImplicitParams& p, uint32_t ring)
      : Stream(p.update, ring), params_(p) {}

  // Zeros for a rating that is not above zero.
  __device__ __forceinline__ void store_ratings(int group, int stage) const {
    const float value = __uint_as_float(load_shared(this->slot(group) + 4 * lane_));
    const float added = added_confidence(value, params_.alpha);
    const WeightScale scale = scale_of<Factor>(params_);  // recomputed: registers are scarce
    const float s = __uint_as_float(scale.weight_bits);
    const float t = s * inverse_power(__uint_as_float(scale.bias_bits));
    const RoundedRoot<Factor> root(s * added);
    const float target = fmaf(t, added, t) * root.inverse;
    const Factor rounded = Factor::of(target);
    constexpr int kBytes = kLayout.element;
    const uint32_t ratings = this->stage_address(stage) + kLayout.ratings_at();
    const uint32_t rating = lane_ - kGroup, place = ratings + kBytes * rating;
    const bool mine = lane_ >= kGroup;
    store_shared_if(mine, place, rounded.bits);
    store_shared_if(mine, place + kBytes * kGroup, Factor::of(target - rounded.value()).bits);
    store_shared_if(mine, ratings + 2 * kBytes * kGroup + weight_place<Factor>(rating),
                    root.rounded.bits);
  }

 private:
  const ImplicitParams& params_;
};

template <typename Part, typename Factor, int kStages, bool kL1>
struct StreamFor<Part, Weighted<Factor>, kStages, kL1> {
  using Type = WeightedStream<Part, Factor, kStages, kL1>;
};

}  // namespace alsbench
