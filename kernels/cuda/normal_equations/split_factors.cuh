// SPDX-License-Identifier: Apache-2.0
// First kernels of normal_equations/halves: factors become sums of two halves, scaled so that the
// largest lies in [2^14, 2^15). Both run HalvesCopy::kBlocks blocks.
#pragma once

#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/normal_equations/halves_layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

__device__ __forceinline__ char* halves_copy(const UpdateParams& p) {
  return static_cast<char*>(p.workspace) + p.plan.factors_at;
}

// The largest of the block's values, to all threads: bits of magnitudes, of which a NaN's are
// larger than those of any number. `shared` is a word.
__device__ __forceinline__ uint32_t block_largest(uint32_t own, uint32_t* shared) {
  if (threadIdx.x == 0) *shared = 0;
  __syncthreads();
  atomicMax(shared, own);
  __syncthreads();
  return *shared;
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads) find_largest_factor(UpdateParams p) {
  __shared__ uint32_t of_block;
  const auto* source = static_cast<const uint4*>(p.factors.data);
  const int64_t vectors = p.factors.rows * (p.factors.pitch / 4);
  uint32_t largest = 0;
#pragma unroll 4
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < vectors;
       i += int64_t{gridDim.x} * kThreads) {
    const uint4 bits = source[i];
    const uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const uint32_t magnitude = words[k] & 0x7fffffffu;
      largest = largest > magnitude ? largest : magnitude;
    }
  }
  largest = block_largest(largest, &of_block);
  if (threadIdx.x == 0) reinterpret_cast<uint32_t*>(halves_copy(p))[blockIdx.x] = largest;
}

template <int kRank, int kThreads>
__global__ void __launch_bounds__(kThreads) split_factors(UpdateParams p) {
  __shared__ uint32_t shared;
  char* copy = halves_copy(p);
  uint32_t largest = 0;
  for (int i = threadIdx.x; i < static_cast<int>(gridDim.x); i += kThreads) {
    const uint32_t of_block = reinterpret_cast<const uint32_t*>(copy)[i];
    largest = largest > of_block ? largest : of_block;
  }
  const float scale = __uint_as_float(half_scale_bits(block_largest(largest, &shared)));
  if (blockIdx.x == 0 && threadIdx.x == 0)
    *reinterpret_cast<float*>(copy + HalvesCopy::kScaleAt) = scale;

  constexpr int kWords = HalvesCopy{kRank}.columns() / 2;  // of the first halves of a row
  auto* target = reinterpret_cast<uint32_t*>(copy + HalvesCopy::kRowsAt);
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < p.factors.rows * kWords;
       i += int64_t{gridDim.x} * kThreads) {
    const int64_t row = i / kWords;
    const int word = static_cast<int>(i % kWords);
    float2 pair{0, 0};
    if (2 * word < p.factors.pitch)
      pair = reinterpret_cast<const float2*>(static_cast<const float*>(p.factors.data) +
                                             row * p.factors.pitch)[word];
    pair.x *= scale, pair.y *= scale;
    const Half x = Half::of(pair.x), y = Half::of(pair.y);
    target[2 * kWords * row + word] = x.bits | static_cast<uint32_t>(y.bits) << 16;
    target[2 * kWords * row + kWords + word] = pack_halves(pair.x - x.value(), pair.y - y.value());
  }
}

}  // namespace alsbench
