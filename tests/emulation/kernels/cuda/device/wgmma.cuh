// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h. Products happen as late
// as their waits allow, so operands overwritten too early and sums read too early show.
#pragma once

#include <vector>

#include "tests/emulation/block.h"

namespace alsbench {

using Products = std::vector<std::function<void()>>;
inline Products& products_of_thread() {
  static std::vector<Products> all(1024);
  return all.at(static_cast<size_t>(emulation::thread()));
}

inline uint64_t warpgroup_operand(uint32_t address) { return address; }
inline void begin_products() {}
inline void publish_operands() {}
inline void commit_products() {}
inline void wait_products() {
  for (const auto& product : products_of_thread()) product();
  products_of_thread().clear();
}

inline void store_blocks(const uint32_t (&blocks)[4], uint32_t address) {
  const emulation::Words& addresses = emulation::share(&address, 1);
  const int lane = emulation::lane();
  for (int block = 0; block < 4; ++block)
    std::memcpy(emulation::shared() + addresses[8 * block + lane / 4][0] + lane % 4 * 4,
                &blocks[block], 4);
}

template <int kPairs>
void multiply_add_async(int (*sums)[4], uint64_t a, uint64_t b) {
  const int lane = emulation::lane(), warp = emulation::thread() / 32 % 4;
  const auto element = [](uint64_t operand, int row, int k) {
    const uint64_t place = operand + row / 8 * 256 + k / 16 * 128 + row % 8 * 16 + k % 16;
    return static_cast<int>(static_cast<int8_t>(emulation::shared()[place]));
  };
  products_of_thread().push_back([=] {
    for (int tile = 0; tile < 2 * kPairs; ++tile)
      for (int e = 0; e < 4; ++e)
        for (int k = 0; k < 32; ++k)
          sums[tile][e] += element(a, 16 * warp + lane / 4 + e / 2 * 8, k) *
                           element(b, 8 * tile + lane % 4 * 2 + e % 2, k);
  });
}

}  // namespace alsbench
