// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "kernels/cpu/element.h"
#include "tests/emulation/block.h"

namespace alsbench {

struct Half {
  uint16_t bits;
  static Half of(float value) { return {float_to_half(value)}; }
  float value() const { return half_to_float(bits); }
};
struct Bfloat {
  uint16_t bits;
  static Bfloat of(float value) { return {float_to_bfloat(value)}; }
  float value() const { return bfloat_to_float(bits); }
};
struct Tf32 {
  uint32_t bits;
  static Tf32 of(float value) { return {std::bit_cast<uint32_t>(round_to_tf32(value))}; }
  float value() const { return std::bit_cast<float>(bits); }
};

inline uint32_t pack_halves(float low, float high) {
  return float_to_half(low) | static_cast<uint32_t>(float_to_half(high)) << 16;
}

}  // namespace alsbench
