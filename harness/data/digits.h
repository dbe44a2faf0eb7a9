// SPDX-License-Identifier: Apache-2.0
// Digits of a text, eight at a time (after Daniel Lemire, "Quickly parsing eight digits", 2018, and
// the search for a byte in a word of "Bit Twiddling Hacks").
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace alsbench {

static_assert(std::endian::native == std::endian::little);

constexpr uint64_t each_byte(uint64_t byte) { return byte * 0x0101010101010101u; }

inline uint64_t eight_bytes(const char* at) {
  uint64_t word;
  std::memcpy(&word, at, sizeof word);
  return word;
}

// The lowest set bit is in the first byte that is no digit; 0 where all are.
inline uint64_t no_digits(uint64_t word) {
  const uint64_t values = word ^ each_byte('0');
  return ((values + each_byte(0x76)) | values) & each_byte(0x80);
}

// How many bytes stand before the one that the lowest set bit is in.
inline int bytes_before(uint64_t bits) { return bits == 0 ? 8 : std::countr_zero(bits) / 8; }

// The number that the first `count` bytes of the word are, digits all of them; count in [1, 8].
inline uint64_t number_of(uint64_t word, int count) {
  uint64_t digits = (word ^ each_byte('0')) << (64 - 8 * count);
  digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffu;
  digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffffu;
  return (digits * 10000 + (digits >> 32)) & 0xffffffffu;
}

// Takes the digits that stand at `at`, and moves it behind them; returns how many they are. The
// number is of use for up to 19 of them, and further ones may stay. Reads kDigitBytes at most.
constexpr int kDigitBytes = 32;
inline int take_digits(const char*& at, uint64_t& number) {
  constexpr uint64_t kPowers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  number = 0;
  int taken = 0;
  while (true) {
    const uint64_t word = eight_bytes(at);
    const int count = bytes_before(no_digits(word));
    if (count > 0) number = number * kPowers[count] + number_of(word, count);
    at += count;
    taken += count;
    if (count < 8 || taken == kDigitBytes - 8) return taken;
  }
}

// The lowest set bit is in the first byte that equals `byte`; 0 where none does.
inline uint64_t equal_bytes(uint64_t word, char byte) {
  const uint64_t difference = word ^ each_byte(static_cast<unsigned char>(byte));
  return (difference - each_byte(1)) & ~difference & each_byte(0x80);
}

// The same of bytes below 0x20.
inline uint64_t control_bytes(uint64_t word) {
  return (word - each_byte(0x20)) & ~word & each_byte(0x80);
}

}  // namespace alsbench
