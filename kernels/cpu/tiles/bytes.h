// SPDX-License-Identifier: Apache-2.0
// A block of ratings as tiles of signed bytes, whose factors have a scale a feature
// (kernels/shared/byte_factors.h).
#pragma once

#include "kernels/cpu/tiles/vectors.h"
#include "kernels/shared/byte_factors.h"

namespace alsbench::ALSBENCH_TILES {

// Byte 4 j + e of the result is byte 16 e + j.
template <int... k>
constexpr Bytes interleaving(std::integer_sequence<int, k...>) {
  return Bytes{static_cast<int8_t>(k % 4 * 16 + k / 4)...};
}
constexpr Bytes kInterleaving = interleaving(std::make_integer_sequence<int, 64>());

// visit(tile, bytes) for the rows of four tiles: of 64 bytes of four ratings each, four by four in
// turn. A tile has four of every sixteen.
template <class Visit>
inline void interleave(const char* const (&rows)[4], int64_t at, const Visit& visit) {
  const auto low = [](const Bytes& a, const Bytes& b) {
    return reinterpret_cast<Shorts>(__builtin_shufflevector(
        a, b, 0, 64, 1, 65, 2, 66, 3, 67, 4, 68, 5, 69, 6, 70, 7, 71, 16, 80, 17, 81, 18, 82, 19,
        83, 20, 84, 21, 85, 22, 86, 23, 87, 32, 96, 33, 97, 34, 98, 35, 99, 36, 100, 37, 101, 38,
        102, 39, 103, 48, 112, 49, 113, 50, 114, 51, 115, 52, 116, 53, 117, 54, 118, 55, 119));
  };
  const auto high = [](const Bytes& a, const Bytes& b) {
    return reinterpret_cast<Shorts>(__builtin_shufflevector(
        a, b, 8, 72, 9, 73, 10, 74, 11, 75, 12, 76, 13, 77, 14, 78, 15, 79, 24, 88, 25, 89, 26, 90,
        27, 91, 28, 92, 29, 93, 30, 94, 31, 95, 40, 104, 41, 105, 42, 106, 43, 107, 44, 108, 45,
        109, 46, 110, 47, 111, 56, 120, 57, 121, 58, 122, 59, 123, 60, 124, 61, 125, 62, 126, 63,
        127));
  };
  const Bytes first = load<Bytes>(rows[0] + at), second = load<Bytes>(rows[1] + at);
  const Bytes third = load<Bytes>(rows[2] + at), fourth = load<Bytes>(rows[3] + at);
  const Shorts low1 = low(first, second), high1 = high(first, second);
  const Shorts low2 = low(third, fourth), high2 = high(third, fourth);
  visit(0, low_words(low1, low2));
  visit(1, high_words(low1, low2));
  visit(2, low_words(high1, high2));
  visit(3, high_words(high1, high2));
}

inline Floats rounded(const Floats& value) {  // to a whole number; below 2^22
  constexpr float kWhole = 12582912.0f;
  return (value + kWhole) - kWhole;
}

class ByteBlock {
 public:
  using Sum = int32_t;
  static constexpr int kRatings = 64;
  static constexpr int kGroup = kRatings / kTileSide;  // ratings of a row of the right tiles
  // Of the factors of a rating.
  template <int kTiles>
  static constexpr int64_t kRowBytes = ByteFactors{kTiles * kTileSide}.row_bytes();
  template <int kTiles>
  static int64_t row_bytes(const TileTask&) {
    return kRowBytes<kTiles>;
  }

  // Stores the high and low parts of ratings [at, at + count) (Int8): rows 0 and 1 of a tile.
  ByteBlock(const TileTask& task, int64_t at, int count, int8_t* tile) {
    float padded[kRatings];
    const float* const values = padded_ratings(task.values + at, count, padded);
    using Narrow [[gnu::vector_size(16)]] = int8_t;
#pragma GCC unroll 4
    for (int i = 0; i < kRatings; i += kVector) {
      const Floats whole = rounded(load<Floats>(values + i) * task.rating_scale * 0.5f);
      const Floats high = rounded(whole * (1.0f / 254));
      const Floats low = whole - 254.0f * high;
      store(tile + i, __builtin_convertvector(__builtin_convertvector(high, Ints), Narrow));
      store(tile + kTileRow + i,
            __builtin_convertvector(__builtin_convertvector(low, Ints), Narrow));
    }
  }

  // visit(tile, bytes) for row `k` of all right tiles, of the factors of its four ratings.
  template <int kTiles, class Visit>
  void interleave_rows(int, const char* const (&rows)[kGroup], const Visit& visit) const {
    constexpr int kFours = kTiles / 4 * 4;
#pragma GCC unroll 4
    for (int tile = 0; tile < kFours; tile += 4)
      interleave(rows, kTileSide * tile,
                 [&](int i, const Shorts& bytes) { visit(tile + i, bytes); });
#pragma GCC unroll 4
    for (int tile = kFours; tile < kTiles; ++tile) {
      const int place = kTileSide * tile;
      const Ints joined = join(rows[0] + place, rows[1] + place, rows[2] + place, rows[3] + place);
      visit(tile, __builtin_shuffle(reinterpret_cast<Bytes>(joined), kInterleaving));
    }
  }

  template <int kC, int kA, int kB>
  static void multiply(Tiles& tiles) {
    tiles.template multiply_bytes<kC, kA, kB>();
  }

  // b_u over the scales, of the sums of a tile of it.
  template <class AnySum>
  static Floats bias(const TileTask& task, const AnySum (*sums)[kTileSide]) {
    constexpr float kHigh = 508, kLow = 2;  // Int8's
    using Parts [[gnu::vector_size(64)]] = AnySum;
    const Floats high = __builtin_convertvector(load<Parts>(sums[0]), Floats);
    const Floats low = __builtin_convertvector(load<Parts>(sums[1]), Floats);
    return 1 / task.rating_scale * (kHigh * high + kLow * low);
  }
};

}  // namespace alsbench::ALSBENCH_TILES
