// SPDX-License-Identifier: Apache-2.0
// Stands in for the header of the same path: see tests/emulation/block.h.
#pragma once

#include "tests/emulation/block.h"

namespace alsbench {

inline uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(static_cast<const char*>(p) - emulation::shared());
}

inline uint32_t load_shared(uint32_t address) {
  uint32_t word;
  std::memcpy(&word, emulation::shared() + address, 4);
  return word;
}
template <int kWords>
void load_shared(uint32_t (&words)[kWords], uint32_t address) {
  std::memcpy(words, emulation::shared() + address, 4 * kWords);
}
inline void store_shared(uint32_t address, uint32_t word) {
  std::memcpy(emulation::shared() + address, &word, 4);
}
inline void store_shared_if(bool wanted, uint32_t address, uint16_t half) {
  if (wanted) std::memcpy(emulation::shared() + address, &half, 2);
}
inline void store_shared_if(bool wanted, uint32_t address, uint32_t word) {
  if (wanted) store_shared(address, word);
}

template <bool kL1>
void copy_async_or_clear(uint32_t shared, const void* global, int index) {
  emulation::copy_async(emulation::shared() + shared, index < 0 ? nullptr : global, 16);
}
inline void copy_word_async(uint32_t shared, const uint32_t* global) {
  emulation::copy_async(emulation::shared() + shared, global, 4);
}

}  // namespace alsbench
