// SPDX-License-Identifier: Apache-2.0
// Types of elements in memory that are no floats, and their conversions in PTX, since kernels
// include no toolkit headers. Arithmetic is always in float.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

__device__ __forceinline__ float half_to_float(uint16_t bits) {
  float value;
  asm("cvt.f32.f16 %0, %1;" : "=f"(value) : "h"(bits));
  return value;
}

// Round to nearest even; overflow becomes infinity.
__device__ __forceinline__ uint16_t float_to_half(float value) {
  uint16_t bits;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(bits) : "f"(value));
  return bits;
}

// Two halves in one word, the first in the low 16 bits.
__device__ __forceinline__ uint32_t pack_halves(float low, float high) {
#if __CUDA_ARCH__ >= 800
  uint32_t word;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  return word;
#else
  return float_to_half(low) | static_cast<uint32_t>(float_to_half(high)) << 16;
#endif
}

// IEEE half: 11 bits of precision, up to 65504.
struct Half {
  uint16_t bits;
  static __device__ __forceinline__ Half of(float value) { return {float_to_half(value)}; }
  __device__ __forceinline__ float value() const { return half_to_float(bits); }
};

// The rounded products of the elements that two words hold.
template <typename Element>
__device__ uint32_t word_product(uint32_t a, uint32_t b);
template <>
__device__ __forceinline__ uint32_t word_product<Half>(uint32_t a, uint32_t b) {
  uint32_t product;
  asm("mul.rn.f16x2 %0, %1, %2;" : "=r"(product) : "r"(a), "r"(b));
  return product;
}

#if __CUDA_ARCH__ >= 800

// The upper half of a float, rounded to nearest even: 8 bits of precision, the range of a float.
struct Bfloat {
  uint16_t bits;
  static __device__ __forceinline__ Bfloat of(float value) {
    uint16_t bits;
    asm("cvt.rn.bf16.f32 %0, %1;" : "=h"(bits) : "f"(value));
    return {bits};
  }
  __device__ __forceinline__ float value() const {
    return __uint_as_float(static_cast<uint32_t>(bits) << 16);
  }
};

// A float rounded to 11 bits of precision, ties away from zero; the other bits are zero.
struct Tf32 {
  uint32_t bits;
  static __device__ __forceinline__ Tf32 of(float value) {
    uint32_t bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
    return {bits & 0xffffe000u};
  }
  __device__ __forceinline__ float value() const { return __uint_as_float(bits); }
};

template <>
__device__ __forceinline__ uint32_t word_product<Bfloat>(uint32_t a, uint32_t b) {
  constexpr uint32_t kMinusZeros = 0x80008000;
  uint32_t product;
  asm("fma.rn.bf16x2 %0, %1, %2, %3;" : "=r"(product) : "r"(a), "r"(b), "r"(kMinusZeros));
  return product;
}
template <>
__device__ __forceinline__ uint32_t word_product<Tf32>(uint32_t a, uint32_t b) {
  return Tf32::of(__uint_as_float(a) * __uint_as_float(b)).bits;
}

#endif

}  // namespace alsbench
