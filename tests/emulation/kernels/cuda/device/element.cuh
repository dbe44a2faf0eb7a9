// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include <vector>

#include "kernels/cpu/element.h"
#include "tests/emulation/block.h"

namespace alsbench {

// Of every half, by its bits: tensor cores convert one a product, which a library call would be.
inline const std::vector<float> all_halves = [] {
  std::vector<float> values(1 << 16);
  for (size_t bits = 0; bits < values.size(); ++bits)
    values[bits] = half_to_float(static_cast<uint16_t>(bits));
  return values;
}();

struct Half {
  uint16_t bits;
  static Half of(float value) { return {float_to_half(value)}; }
  float value() const { return all_halves[bits]; }
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

template <typename Element>
uint32_t word_product(uint32_t a, uint32_t b) {
  const auto part = [&](int shift) -> uint32_t {
    const auto bits = [&](uint32_t word) {
      return Element{static_cast<decltype(Element::bits)>(word >> shift)};
    };
    return uint32_t{Element::of(bits(a).value() * bits(b).value()).bits} << shift;
  };
  return sizeof(Element) == 4 ? part(0) : part(0) | part(16);
}

inline uint32_t pack_halves(float low, float high) {
  return float_to_half(low) | static_cast<uint32_t>(float_to_half(high)) << 16;
}

}  // namespace alsbench
