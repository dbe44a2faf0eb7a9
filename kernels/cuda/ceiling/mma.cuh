// SPDX-License-Identifier: Apache-2.0
// The ceiling of tensor cores by the instruction mma.sync, which all variants of ours use: a warp
// multiplies operands in registers. Layouts of fragments: kernels/cuda/device/mma.cuh and
// bytes.cuh.
#pragma once

#include "kernels/cuda/device/bytes.cuh"
#include "kernels/cuda/device/mma.cuh"
#include "kernels/shared/mma_operands.h"

namespace alsbench {

struct SignedByte {
  uint8_t bits;
  static __device__ __forceinline__ SignedByte of(float value) {
    return {static_cast<uint8_t>(static_cast<int>(value))};
  }
};

struct E4m3Byte {
  uint8_t bits;
  static __device__ __forceinline__ E4m3Byte of(float value) { return {float_to_e4m3(value)}; }
};

template <typename Element>
struct MmaSum {
  using Type = float;
};
template <>
struct MmaSum<SignedByte> {
  using Type = int;
};

template <typename Element>
__device__ __forceinline__ void multiply_step(float (&sum)[4], const uint32_t (&a)[4],
                                              const uint32_t (&b)[2]) {
  multiply_add<Element>(sum, a, b[0], b[1]);
}
template <>
__device__ __forceinline__ void multiply_step<E4m3Byte>(float (&sum)[4], const uint32_t (&a)[4],
                                                        const uint32_t (&b)[2]) {
  multiply_add(sum, a, b[0], b[1]);
}
template <typename Element>
__device__ __forceinline__ void multiply_step(int (&sum)[4], const uint32_t (&a)[4],
                                              const uint32_t (&b)[2]) {
  multiply_add(sum, a, b[0], b[1]);
}

// A word of elements, the k-th of which is value(k).
template <typename Element, typename Value>
__device__ __forceinline__ uint32_t packed(const Value& value) {
  constexpr int kBytes = sizeof(Element);
  uint32_t word = 0;
  for (int k = 0; k < 4 / kBytes; ++k)
    word |= static_cast<uint32_t>(Element::of(static_cast<float>(value(k))).bits)
            << (8 * kBytes * k);
  return word;
}

template <typename Element, int kThreads>
__global__ void __launch_bounds__(kThreads, 4) mma_chains(MmaParams p) {
  constexpr int kPerWord = 4 / sizeof(Element);
  using Sum = typename MmaSum<Element>::Type;
  const int lane = threadIdx.x % 32, group = lane / 4, quad = lane % 4;
  const int at = static_cast<int>(blockIdx.x * kThreads + threadIdx.x), warp = at / 32;
  uint32_t a[4], b[kMmaTiles][2];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int row = group + i % 2 * 8, first = (quad + i / 2 * 4) * kPerWord;
    a[i] = packed<Element>([&](int k) { return mma_a(warp, row, first + k); });
  }
#pragma unroll
  for (int tile = 0; tile < kMmaTiles; ++tile)
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      const int first = (quad + i * 4) * kPerWord;
      b[tile][i] = packed<Element>([&](int k) { return mma_b(tile, first + k, group); });
    }
  Sum sums[kMmaTiles][4] = {};
#pragma unroll 4
  for (int step = 0; step < p.steps; ++step)
#pragma unroll
    for (int tile = 0; tile < kMmaTiles; ++tile) multiply_step<Element>(sums[tile], a, b[tile]);
  float sum = 0;
#pragma unroll
  for (int tile = 0; tile < kMmaTiles; ++tile)
#pragma unroll
    for (int i = 0; i < 4; ++i) sum += static_cast<float>(sums[tile][i]);
  p.target[at] = sum;
}

}  // namespace alsbench
