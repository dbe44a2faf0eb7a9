// SPDX-License-Identifier: Apache-2.0
// A block of ratings as tiles of bf16: of factors as they are, or, in implicit ALS, times the roots
// of weights (kernels/shared/implicit_weights.h), which rounds once more.
#pragma once

#include "kernels/cpu/tiles/vectors.h"
#include "kernels/shared/views.h"

namespace alsbench::ALSBENCH_TILES {

// The first `count` of a row's next 32 features, and zeros.
inline Shorts load_features(const char* from, int count) {
#if defined(__AVX512BW__)
  const __mmask32 mask = count < 32 ? (1u << count) - 1 : ~0u;
  return reinterpret_cast<Shorts>(_mm512_maskz_loadu_epi16(mask, from));
#else
  Shorts features = {};
  __builtin_memcpy(&features, from, sizeof(int16_t) * (count < 32 ? count : 32));
  return features;
#endif
}

inline Floats root(const Floats& value) {
#if defined(__AVX512F__)
  return _mm512_maskz_sqrt_ps(0xFFFF, value);
#else
  Floats root;
  for (int i = 0; i < kVector; ++i) root[i] = __builtin_sqrtf(value[i]);
  return root;
#endif
}

// To the nearest bf16, ties to even; of numbers.
inline Floats to_bfloats(const Floats& value) {
  const Ints bits = reinterpret_cast<Ints>(value);
  return reinterpret_cast<Floats>((bits + 0x7fff + (bits >> 16 & 1)) & ~0xffff);
}

class BfloatBlock {
 public:
  using Sum = float;
  static constexpr int kRatings = 32;
  static constexpr int kGroup = kRatings / kTileSide;  // ratings of a row of the right tiles
  // Of the factors of a rating; with zeros, which no row has.
  template <int kTiles>
  static constexpr int64_t kRowBytes = int64_t{sizeof(int16_t)} * (kTileSide * kTiles);
  template <int kTiles>
  static int64_t row_bytes(const TileTask& task) {
    return int64_t{2} * factor_pitch(task.rank);
  }

  // Stores ratings [at, at + count), or what b_u multiplies weighted factors by, as sums of three
  // bf16, which are exact: rows 0, 1 and 2 of a tile.
  BfloatBlock(const TileTask& task, int64_t at, int count, int8_t* tile)
      : rank_(task.rank), weighted_(task.weight_scale > 0) {
    float padded[kRatings];
    const float* const values = padded_ratings(task.values + at, count, padded);
#pragma GCC unroll 2
    for (int i = 0; i < kRatings; i += kVector) {
      Floats rest = load<Floats>(values + i);
      if (weighted_) rest = weigh(task, rest, weights_ + i);
#pragma GCC unroll 3
      for (int part = 0; part < 3; ++part) {
        using Narrow [[gnu::vector_size(32)]] = int16_t;
        const Floats nearest = to_bfloats(rest);
        store(tile + int64_t{part} * kTileRow + int64_t{2} * i,
              __builtin_convertvector(reinterpret_cast<Ints>(nearest) >> 16, Narrow));
        rest -= nearest;
      }
    }
  }

  // visit(tile, words) for row `k` of all right tiles, of the factors of its two ratings. Two tiles
  // share 64 bytes: each has four of every eight features.
  template <int kTiles, class Visit>
  void interleave_rows(int k, const char* const (&rows)[kGroup], const Visit& visit) const {
    const auto put = [&](int tile, const Shorts& pairs) {
      visit(tile, weighted_ ? times_weights(pairs, weights_[2 * k], weights_[2 * k + 1]) : pairs);
    };
#pragma GCC unroll 8
    for (int tile = 0; tile < kTiles; tile += 2) {
      const int at = kTileSide * tile, count = tile + 2 < kTiles ? 32 : rank_ - at;
      const Shorts first = load_features(rows[0] + int64_t{2} * at, count);
      const Shorts second = load_features(rows[1] + int64_t{2} * at, count);
      if (tile + 1 == kTiles) {
        put(tile, first_words(first, second));
      } else {
        put(tile, low_words(first, second));
        put(tile + 1, high_words(first, second));
      }
    }
  }

  template <int kC, int kA, int kB>
  static void multiply(Tiles& tiles) {
    tiles.template multiply_bfloats<kC, kA, kB>();
  }

  // b_u, of the sums of a tile of it.
  static Floats bias(const TileTask&, const float (*sums)[kTileSide]) {
    return load<Floats>(sums[0]) + (load<Floats>(sums[1]) + load<Floats>(sums[2]));
  }

 private:
  // The roots of the weights of ratings; what b_u multiplies weighted factors by. Both equations
  // are times the scale.
  static Floats weigh(const TileTask& task, const Floats& ratings, float* weights) {
    const Floats none = {};
    const Floats added = ratings > 0 ? task.alpha * ratings : none;
    const Floats weight = to_bfloats(root(task.weight_scale * added));
    store(weights, weight);
    return weight > 0 ? task.weight_scale * (1.0f + added) / weight : none;
  }

  // Words of two ratings in turn, times their weights.
  static Shorts times_weights(const Shorts& pairs, float first, float second) {
    const Ints bits = reinterpret_cast<Ints>(pairs);
    const Shorts halves = Tiles::to_bfloats(reinterpret_cast<Floats>(bits << 16) * first,
                                            reinterpret_cast<Floats>(bits & ~0xffff) * second);
    return __builtin_shufflevector(halves, halves, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22,
                                   7, 23, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15,
                                   31);
  }

  // The first 16 words of each, in turn.
  static Shorts first_words(const Shorts& a, const Shorts& b) {
    return __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 8,
                                   40, 9, 41, 10, 42, 11, 43, 12, 44, 13, 45, 14, 46, 15, 47);
  }

  const int rank_;
  const bool weighted_;
  float weights_[kRatings];
};

}  // namespace alsbench::ALSBENCH_TILES
