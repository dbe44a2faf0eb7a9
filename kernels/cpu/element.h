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

// Of `count` floats; how many finite ones are infinite as bf16.
inline uint32_t floats_to_bfloats(const float* values, int64_t count, uint16_t* bfloats) {
  constexpr uint16_t kInfinity = 0x7f80;
  uint32_t overflows = 0;
  for (int64_t i = 0; i < count; ++i) {
    bfloats[i] = float_to_bfloat(values[i]);
    overflows += (bfloats[i] & 0x7fff) == kInfinity && std::isfinite(values[i]) ? 1 : 0;
  }
  return overflows;
}

// A float of 11 bits of precision. Ties go away from zero, as the GPUs' instruction has it.
inline float round_to_tf32(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if (!std::isfinite(value)) return value;
  return std::bit_cast<float>((bits + 0x1000u) & 0xffffe000u);
}

// e4m3: 4 bits of precision down to 2^-6, below that multiples of 2^-9. It has no infinity.
inline float e4m3_to_float(uint8_t bits) {
  const int exponent = bits >> 3 & 15, significand = bits & 7;
  if ((bits & 0x7f) == 0x7f) return std::bit_cast<float>(0x7fc00000u);
  const float magnitude = exponent == 0
                              ? std::ldexp(static_cast<float>(significand), -9)
                              : std::ldexp(static_cast<float>(8 + significand), exponent - 10);
  return (bits & 0x80) != 0 ? -magnitude : magnitude;
}
// Rounds to nearest even; what is beyond the largest, 448, becomes that.
inline uint8_t float_to_e4m3(float value) {
  constexpr int kMinExponent = -6, kMantissaBits = 3;
  constexpr float kLargest = 448;
  const uint32_t sign = std::signbit(value) ? 0x80 : 0;
  if (std::isnan(value)) return 0x7f;
  const float magnitude = std::fmin(std::fabs(value), kLargest);
  const int exponent = magnitude > 0x1p-6f ? std::ilogb(magnitude) : kMinExponent;
  // In units of the last place: 8 to 16, less where there is no implicit bit. A sum carries over.
  const auto units =
      static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, kMantissaBits - exponent)));
  const auto field = static_cast<uint32_t>(exponent - kMinExponent);
  return static_cast<uint8_t>(sign | ((field << kMantissaBits) + units));
}

}  // namespace alsbench
