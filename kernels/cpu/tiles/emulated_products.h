// SPDX-License-Identifier: Apache-2.0
// Products of emulated AMX tiles, a file of their own: the loops take most of a test's time.
#pragma once

#include <cstdint>

namespace alsbench::emulated_amx {

union Tile {
  int32_t words[16][16];
  float floats[16][16];
  int8_t bytes[16][64];
  uint16_t bfloats[16][32];
};

// How the processor computes with bf16, whatever MXCSR says: to nearest, ties to even, and numbers
// below the least normal one are zeros, which may be operands as well as results (Intel's manual,
// TDPBF16PS and VCVTNE2PS2BF16).
inline constexpr float kMinNormal = 0x1p-126f;

inline float flushed(float value) {
  return __builtin_fabsf(value) < kMinNormal ? __builtin_copysignf(0.0f, value) : value;
}

// C += A B. Of bf16, products of first elements and of second ones are each added up from zero by
// FMA; then both sums, and that to C.
void multiply_bytes(const Tile& a, const Tile& b, Tile& c);
void multiply_bfloats(const Tile& a, const Tile& b, Tile& c);

}  // namespace alsbench::emulated_amx
