// SPDX-License-Identifier: Apache-2.0
// Sums over a warp and over a block; every thread gets the result.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2) value += __shfl_xor_sync(0xffffffffu, value, step);
  return value;
}

// Several values at once take little longer than one.
template <typename... T>
__device__ __forceinline__ void warp_sums(T&... values) {
#pragma unroll
  for (int step = 16; step > 0; step /= 2)
    ((values += __shfl_xor_sync(0xffffffffu, values, step)), ...);
}

// `partials` is shared memory of kThreads / 32 elements that no thread reads or writes between the
// previous barrier and this call. One barrier; kThreads is a multiple of 32.
template <int kThreads, typename T>
__device__ __forceinline__ T block_sum(T value, T* partials) {
  value = warp_sum(value);
  if constexpr (kThreads == 32) return value;
  if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = value;
  __syncthreads();
  T sum = partials[0];
#pragma unroll
  for (int warp = 1; warp < kThreads / 32; ++warp) sum += partials[warp];
  return sum;
}

}  // namespace alsbench
