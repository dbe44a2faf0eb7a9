// SPDX-License-Identifier: Apache-2.0
// Where an update leaves its solutions.
#pragma once

#include "kernels/cuda/device/round.cuh"
#include "kernels/shared/int8_factors.h"
#include "kernels/shared/params/als.h"

namespace alsbench {

// Batch row `row`'s place in the factor matrix.
__device__ __forceinline__ int64_t solution_place(const UpdateParams& p, int64_t row) {
  return (p.first_row + row) * p.solution.pitch;
}
__device__ __forceinline__ float* solution_of(const UpdateParams& p, int64_t row) {
  return static_cast<float*>(p.solution.data) + solution_place(p, row);
}

// Element e of a solution, and its copy in the type that the other side's update reads.
template <typename Factor>
__device__ __forceinline__ void write_solution(const UpdateParams& p, int64_t row, int e,
                                               float value) {
  solution_of(p, row)[e] = value;
  if (p.rounded != nullptr)
    static_cast<Factor*>(p.rounded)[solution_place(p, row) + e] =
        rounded<Factor>(value, p.overflows);
}
// Bytes need the scales of all solutions: their copy is made afterwards.
template <>
__device__ __forceinline__ void write_solution<Int8>(const UpdateParams& p, int64_t row, int e,
                                                     float value) {
  solution_of(p, row)[e] = value;
}
template <>
__device__ __forceinline__ void write_solution<float>(const UpdateParams& p, int64_t row, int e,
                                                      float value) {
  solution_of(p, row)[e] = value;
}

}  // namespace alsbench
