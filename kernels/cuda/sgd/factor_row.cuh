// SPDX-License-Identifier: Apache-2.0
// A factor row in the registers of kLanes neighbouring lanes, in float. It is read past L1, which
// does not see what other multiprocessors write.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/sgd/layout.cuh"

namespace alsbench {

template <int kRank, typename Factor, int kLanes>
struct FactorRow {
  static constexpr int kVector = sgd_vector(kRank, sizeof(Factor), kLanes);
  static constexpr int kVectors = factor_pitch(kRank) / kVector;
  static constexpr int kSteps = (kVectors + kLanes - 1) / kLanes;

  float values[kSteps][kVector] = {};  // zero where the lane has no part of the row

  static __device__ __forceinline__ Factor* at(const FactorsView& factors, int32_t row, int lane) {
    return static_cast<Factor*>(factors.data) + int64_t{row} * factor_pitch(kRank) + lane * kVector;
  }
  static __device__ __forceinline__ bool has(int turn, int lane) {
    return kVectors % kLanes == 0 || lane + turn * kLanes < kVectors;
  }

  __device__ __forceinline__ void load(const FactorsView& factors, int32_t row, int lane) {
    const Factor* source = at(factors, row, lane);
#pragma unroll
    for (int turn = 0; turn < kSteps; ++turn)
      if (has(turn, lane)) load_vector<false>(values[turn], source + turn * kLanes * kVector);
  }
  __device__ __forceinline__ void store(const FactorsView& factors, int32_t row, int lane) const {
    Factor* target = at(factors, row, lane);
#pragma unroll
    for (int turn = 0; turn < kSteps; ++turn)
      if (has(turn, lane)) store_vector(target + turn * kLanes * kVector, values[turn]);
  }

  // The lane's part of the dot product.
  __device__ __forceinline__ float dot(const FactorRow& other) const {
    float sum = 0;
#pragma unroll
    for (int turn = 0; turn < kSteps; ++turn)
#pragma unroll
      for (int i = 0; i < kVector; ++i) sum += values[turn][i] * other.values[turn][i];
    return sum;
  }
  // This = kept this + step other and the other way round, both of the old ones.
  __device__ __forceinline__ void exchange_add(float kept, float step, FactorRow& other) {
#pragma unroll
    for (int turn = 0; turn < kSteps; ++turn)
#pragma unroll
      for (int i = 0; i < kVector; ++i) {
        const float own = values[turn][i], others = other.values[turn][i];
        values[turn][i] = kept * own + step * others;
        other.values[turn][i] = kept * others + step * own;
      }
  }
};

}  // namespace alsbench
