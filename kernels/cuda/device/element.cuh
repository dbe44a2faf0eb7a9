// IEEE half for device code: a 16-bit storage type and its conversions in PTX, since kernels
// include no toolkit headers. Arithmetic is always in float. Used by every kernel with FP16
// storage.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

struct Half {
  uint16_t bits;
};

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

}  // namespace alsbench
