// SPDX-License-Identifier: Apache-2.0
// Memory operations of the guard of honest measurement: the digest of a region, and the reversal of
// an axis. The same on the host and on devices.
#pragma once

#include "kernels/shared/generate.h"

namespace alsbench {

// Numbers that a region holds, of which a digest counts those that are not finite.
enum class Numbers { other, fp32, fp16, bf16, fp64 };

// Runs of `width_bytes` each that lie `pitch_bytes` apart. Of several, both are multiples of 4.
struct Region {
  const char* name = "";  // for messages
  const void* data = nullptr;
  int64_t width_bytes = 0;
  int64_t runs = 1, pitch_bytes = 0;
  Numbers numbers = Numbers::other;

  ALSBENCH_HOST_DEVICE constexpr int64_t run_words() const { return (width_bytes + 3) / 4; }
  ALSBENCH_HOST_DEVICE constexpr int64_t words() const { return runs * run_words(); }
};

struct Digest {
  uint64_t hash = 0;        // of the bytes in their places
  uint64_t not_finite = 0;  // numbers
};
ALSBENCH_HOST_DEVICE constexpr bool operator==(const Digest& a, const Digest& b) {
  return a.hash == b.hash && a.not_finite == b.not_finite;
}

// A word of a region; a last one that is not whole has zeros behind it.
ALSBENCH_HOST_DEVICE inline uint32_t word_of(const Region& region, int64_t index) {
  const int64_t run = region.runs > 1 ? index / region.run_words() : 0;
  const int64_t at = (index - run * region.run_words()) * 4;
  const auto* bytes =
      static_cast<const unsigned char*>(region.data) + run * region.pitch_bytes + at;
  if (at + 4 <= region.width_bytes) return *reinterpret_cast<const uint32_t*>(bytes);
  uint32_t word = 0;
  for (int64_t i = 0; at + i < region.width_bytes; ++i) word |= uint32_t{bytes[i]} << (8 * i);
  return word;
}

// A word's term of the hash.
ALSBENCH_HOST_DEVICE inline uint64_t hash_of_word(uint32_t word, int64_t index) {
  return mix64(word + 0x9e3779b97f4a7c15ull * static_cast<uint64_t>(index + 1));
}

ALSBENCH_HOST_DEVICE constexpr bool has_bits(uint32_t word, uint32_t bits) {
  return (word & bits) == bits;
}

// How many numbers that begin or end in a word are infinite or no numbers.
ALSBENCH_HOST_DEVICE constexpr uint32_t not_finite_in(uint32_t word, int64_t index, Numbers type) {
  switch (type) {
    case Numbers::fp32:
      return has_bits(word, 0x7f800000u) ? 1 : 0;
    case Numbers::fp16:
      return (has_bits(word, 0x7c00u) ? 1 : 0) + (has_bits(word, 0x7c000000u) ? 1 : 0);
    case Numbers::bf16:
      return (has_bits(word, 0x7f80u) ? 1 : 0) + (has_bits(word, 0x7f800000u) ? 1 : 0);
    case Numbers::fp64:
      return index % 2 == 1 && has_bits(word, 0x7ff00000u) ? 1 : 0;
    default:
      return 0;
  }
}

// `count` items of `item_bytes` each, one after another, in each of `outer` runs that lie
// `pitch_bytes` apart.
struct ItemAxis {
  void* data = nullptr;
  int64_t count = 0, item_bytes = 0;
  int64_t outer = 1, pitch_bytes = 0;
};

// The item that changes places with item i where items are mirrored about `about`.
ALSBENCH_HOST_DEVICE constexpr int64_t mirrored(int64_t i, int64_t about, int64_t count) {
  const int64_t place = about % count - i;
  return place < 0 ? place + count : place;
}

}  // namespace alsbench
