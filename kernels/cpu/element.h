// SPDX-License-Identifier: Apache-2.0
// Types of elements in memory that are no floats: single values. The rows of halves that kernels
// convert go through simd/simd.h.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace alsbench {

// IEEE half: 11 bits of precision.
inline float half_to_float(uint16_t half) {
  return static_cast<float>(std::bit_cast<_Float16>(half));
}
// Rounds to nearest even; overflow becomes infinity.
inline uint16_t float_to_half(float value) {
  return std::bit_cast<uint16_t>(static_cast<_Float16>(value));
}

// The upper half of a float: 8 bits of precision.
inline float bfloat_to_float(uint16_t bfloat) {
  return std::bit_cast<float>(static_cast<uint32_t>(bfloat) << 16);
}
// Rounds to nearest even; overflow becomes infinity.
inline uint16_t float_to_bfloat(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value)) return static_cast<uint16_t>(bits >> 16 | 1);
  return static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

// A float of 11 bits of precision. Ties go away from zero, as the GPUs' instruction has it.
inline float round_to_tf32(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (!std::isfinite(value)) return value;
  return std::bit_cast<float>((bits + 0x1000u) & 0xffffe000u);
}

}  // namespace alsbench
