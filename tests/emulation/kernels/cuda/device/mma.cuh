// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h. Layouts of fragments: PTX
// ISA, "Warp Level Matrix Multiply-Accumulate", mma.m16n8k16 and m16n8k8, ldmatrix and movmatrix.
#pragma once

#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/shared.cuh"

namespace alsbench {

template <int kBlocks>
void load_transposed(uint32_t (&blocks)[kBlocks], uint32_t address) {
  const emulation::Words& addresses = emulation::share(&address, 1);
  const int lane = emulation::lane();
  for (int block = 0; block < kBlocks; ++block) {
    uint16_t pair[2];
    for (int i = 0; i < 2; ++i)
      std::memcpy(&pair[i],
                  emulation::shared() + addresses[8 * block + lane % 4 * 2 + i][0] + lane / 4 * 2,
                  2);
    blocks[block] = pair[0] | static_cast<uint32_t>(pair[1]) << 16;
  }
}

inline void load_blocks(uint32_t (&blocks)[4], uint32_t address) {
  const emulation::Words& addresses = emulation::share(&address, 1);
  const int lane = emulation::lane();
  for (int block = 0; block < 4; ++block)
    std::memcpy(&blocks[block],
                emulation::shared() + addresses[8 * block + lane / 4][0] + lane % 4 * 4, 4);
}

template <typename Element>
void multiply_add(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  const uint32_t own[6] = {a[0], a[1], a[2], a[3], b0, b1};
  const emulation::Words& all = emulation::share(own, 6);
  const int group = emulation::lane() / 4, quad = emulation::lane() % 4;
  constexpr int kPerWord = 4 / sizeof(Element);
  const auto element = [](uint32_t word, int i) {
    return Element{static_cast<decltype(Element::bits)>(word >> (16 * i))}.value();
  };
  for (int e = 0; e < 4; ++e)
    for (int k = 0; k < 8 * kPerWord; ++k) {
      const int upper = k / (4 * kPerWord), holder = k / kPerWord % 4, part = k % kPerWord;
      sum[e] += element(all[4 * group + holder][e / 2 + 2 * upper], part) *
                element(all[4 * (2 * quad + e % 2) + holder][4 + upper], part);
    }
}
inline void multiply_to(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  for (float& element : sum) element = 0;
  multiply_add<Half>(sum, a, b0, b1);
}
inline void multiply_add(float (&sum)[4], const uint32_t (&a)[2], uint32_t b) {
  multiply_add<Half>(sum, {a[0], a[1], 0, 0}, b, 0);
}

inline uint32_t transposed(uint32_t block) {
  const emulation::Words& all = emulation::share(&block, 1);
  const int row = emulation::lane() / 4, column = emulation::lane() % 4 * 2;
  const auto element = [&](int r, int c) {
    return all[4 * r + c / 2][0] >> (16 * (c % 2)) & 0xffffu;
  };
  return element(column, row) | element(column + 1, row) << 16;
}

}  // namespace alsbench
