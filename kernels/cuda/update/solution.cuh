// SPDX-License-Identifier: Apache-2.0
// Where an update leaves its solutions.
#pragma once

#include "kernels/cuda/device/round.cuh"
#include "kernels/shared/byte_factors.h"
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
template <>
__device__ __forceinline__ void write_solution<float>(const UpdateParams& p, int64_t row, int e,
                                                      float value) {
  solution_of(p, row)[e] = value;
}

// Bytes need the scales of all solutions, so their copy is made afterwards. The magnitudes that
// become the scales, the largest of each feature, are found here: in `of_block`, words of shared
// memory. A NaN is larger than any number there.
__device__ __forceinline__ void write_measured(const UpdateParams& p, int64_t row, int e,
                                               float value, uint32_t* of_block) {
  solution_of(p, row)[e] = value;
  atomicMax(of_block + e, __float_as_uint(value) & 0x7fffffffu);
}
// Before a block's first row; a barrier is the caller's.
template <int kRank>
__device__ __forceinline__ void clear_largest(uint32_t* of_block) {
  for (int i = threadIdx.x; i < kRank; i += blockDim.x) of_block[i] = 0;
}
// After a warp's last row: other warps of the block leave theirs themselves.
template <int kRank>
__device__ __forceinline__ void keep_largest(const UpdateParams& p, const uint32_t* of_block) {
  if (p.rounded == nullptr) return;
  auto* target =
      reinterpret_cast<uint32_t*>(static_cast<char*>(p.rounded) + ByteFactors{kRank}.largest_at());
  __syncwarp();
  for (int i = threadIdx.x % 32; i < kRank; i += 32) atomicMax(target + i, of_block[i]);
}

}  // namespace alsbench
