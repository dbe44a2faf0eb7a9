// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h. Layouts of fragments: PTX
// ISA, "Warp Level Matrix Multiply-Accumulate", mma.m16n8k32.
#pragma once

#include <vector>

#include "kernels/cuda/device/element.cuh"
#include "tests/emulation/block.h"

namespace alsbench {

inline uint32_t even_bytes(uint32_t a, uint32_t b) {
  return (a & 0xff) | (a >> 8 & 0xff00) | (b & 0xff) << 16 | (b << 8 & 0xff000000);
}
inline uint32_t odd_bytes(uint32_t a, uint32_t b) { return even_bytes(a >> 8, b >> 8); }
inline uint32_t even_bytes_again(uint32_t a, uint32_t b) { return even_bytes(a, b); }
inline uint32_t odd_bytes_again(uint32_t a, uint32_t b) { return odd_bytes(a, b); }

// Calls add(e, a, b) for the products of each sum e, with bytes of both operands.
template <typename Add>
void for_products_of_bytes(const uint32_t (&a)[4], uint32_t b0, uint32_t b1, Add add) {
  const uint32_t own[6] = {a[0], a[1], a[2], a[3], b0, b1};
  const emulation::Words& all = emulation::share(own, 6);
  const int group = emulation::lane() / 4, quad = emulation::lane() % 4;
  const auto byte = [](uint32_t word, int i) { return static_cast<uint8_t>(word >> (8 * i)); };
  for (int e = 0; e < 4; ++e)
    for (int k = 0; k < 32; ++k) {
      const int upper = k / 16, holder = k / 4 % 4, part = k % 4;
      add(e, byte(all[4 * group + holder][e / 2 + 2 * upper], part),
          byte(all[4 * (2 * quad + e % 2) + holder][4 + upper], part));
    }
}
inline void multiply_add(int (&sum)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  for_products_of_bytes(a, b0, b1, [&](int e, uint8_t x, uint8_t y) {
    sum[e] += int{static_cast<int8_t>(x)} * int{static_cast<int8_t>(y)};
  });
}
inline const std::vector<float> all_e4m3 = [] {
  std::vector<float> values(256);
  for (size_t bits = 0; bits < values.size(); ++bits)
    values[bits] = e4m3_to_float(static_cast<uint8_t>(bits));
  return values;
}();
inline void multiply_add(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  for_products_of_bytes(a, b0, b1,
                        [&](int e, uint8_t x, uint8_t y) { sum[e] += all_e4m3[x] * all_e4m3[y]; });
}

inline void store_shared_byte(uint32_t address, uint32_t byte) {
  emulation::shared()[address] = static_cast<char>(byte);
}
inline int to_integer(float value) { return static_cast<int>(std::nearbyint(value)); }

}  // namespace alsbench
