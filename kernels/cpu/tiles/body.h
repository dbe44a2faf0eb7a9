// SPDX-License-Identifier: Apache-2.0
// The one body of TileKernels: included by a source file for the processor's tiles and by one for
// their emulation, each with a namespace ALSBENCH_TILES that has the class Tiles. As in simd/body.h
// there are no standard inline functions.
//
// The sums of 64 ratings and 16 + 16 features are one instruction, C += A B. A has a row of 64
// bytes a feature. B has a row of 64 bytes for four ratings: their bytes of the first feature, then
// those of the second. Both are made of the same gathered bytes (pack_right, pack_left).
#pragma once

#if defined(__AVX512VBMI__)
#include <immintrin.h>
#endif

#include "kernels/cpu/tiles/tiles.h"
#include "kernels/shared/byte_factors.h"

namespace alsbench::ALSBENCH_TILES {

using Bytes [[gnu::vector_size(64)]] = int8_t;
using Ints [[gnu::vector_size(64)]] = int32_t;
using Longs [[gnu::vector_size(64)]] = int64_t;
using Floats [[gnu::vector_size(64)]] = float;

constexpr int kRowBytes = 64;  // of a tile
constexpr int kVector = 16;    // floats

template <class Vector>
inline Vector load(const void* from) {
  Vector vector;
  __builtin_memcpy(&vector, from, sizeof(vector));
  return vector;
}
template <class Vector>
inline void store(void* to, const Vector& vector) {
  __builtin_memcpy(to, &vector, sizeof(vector));
}

// 16 bytes of each.
inline Ints join(const void* a, const void* b, const void* c, const void* d) {
#if defined(__AVX512F__)
  __m512i joined = _mm512_castsi128_si512(_mm_loadu_si128(static_cast<const __m128i*>(a)));
  joined = _mm512_inserti32x4(joined, _mm_loadu_si128(static_cast<const __m128i*>(b)), 1);
  joined = _mm512_inserti32x4(joined, _mm_loadu_si128(static_cast<const __m128i*>(c)), 2);
  return reinterpret_cast<Ints>(
      _mm512_inserti32x4(joined, _mm_loadu_si128(static_cast<const __m128i*>(d)), 3));
#else
  Ints joined;
  const void* const from[] = {a, b, c, d};
  for (int i = 0; i < 4; ++i)
    __builtin_memcpy(reinterpret_cast<char*>(&joined) + 16 * i, from[i], 16);
  return joined;
#endif
}

// Byte 4 j + e of the result is byte 16 e + j.
template <int... k>
constexpr Bytes interleaving(std::integer_sequence<int, k...>) {
  return Bytes{static_cast<int8_t>(k % 4 * 16 + k / 4)...};
}
constexpr Bytes kInterleaving = interleaving(std::make_integer_sequence<int, 64>());

using Shorts [[gnu::vector_size(64)]] = int16_t;

// visit(tile, bytes) for the rows of four tiles: of 64 bytes of four ratings each, four by four in
// turn. A tile has four of every sixteen.
template <class Visit>
inline void interleave(const int8_t* const (&rows)[4], int64_t at, const Visit& visit) {
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
  const auto low_pairs = [](const Shorts& a, const Shorts& b) {
    return __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41, 10, 42, 11, 43,
                                   16, 48, 17, 49, 18, 50, 19, 51, 24, 56, 25, 57, 26, 58, 27, 59);
  };
  const auto high_pairs = [](const Shorts& a, const Shorts& b) {
    return __builtin_shufflevector(a, b, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13, 45, 14, 46, 15, 47,
                                   20, 52, 21, 53, 22, 54, 23, 55, 28, 60, 29, 61, 30, 62, 31, 63);
  };
  const Bytes first = load<Bytes>(rows[0] + at), second = load<Bytes>(rows[1] + at);
  const Bytes third = load<Bytes>(rows[2] + at), fourth = load<Bytes>(rows[3] + at);
  const Shorts low1 = low(first, second), high1 = high(first, second);
  const Shorts low2 = low(third, fourth), high2 = high(third, fourth);
  visit(0, low_pairs(low1, low2));
  visit(1, high_pairs(low1, low2));
  visit(2, low_pairs(high1, high2));
  visit(3, high_pairs(high1, high2));
}

// visit(row, vector) for the rows of a transposed tile of 16 x 16 words of 32 bits.
template <class Visit>
inline void transpose(const void* tile, const Visit& visit) {
  const char* const from = static_cast<const char*>(tile);
#pragma GCC unroll 4
  for (int c = 0; c < 4; ++c) {
    Ints parts[4];
#pragma GCC unroll 4
    for (int s = 0; s < 4; ++s) {
      const char* const part = from + s * kRowBytes + 16 * c;
      parts[s] = join(part, part + 4 * kRowBytes, part + 8 * kRowBytes, part + 12 * kRowBytes);
    }
    const auto low = [](const Ints& a, const Ints& b) {
      return reinterpret_cast<Longs>(
          __builtin_shufflevector(a, b, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29));
    };
    const auto high = [](const Ints& a, const Ints& b) {
      return reinterpret_cast<Longs>(__builtin_shufflevector(a, b, 2, 18, 3, 19, 6, 22, 7, 23, 10,
                                                             26, 11, 27, 14, 30, 15, 31));
    };
    const Longs t0 = low(parts[0], parts[1]), t1 = high(parts[0], parts[1]);
    const Longs t2 = low(parts[2], parts[3]), t3 = high(parts[2], parts[3]);
    visit(4 * c,
          reinterpret_cast<Ints>(__builtin_shufflevector(t0, t2, 0, 8, 2, 10, 4, 12, 6, 14)));
    visit(4 * c + 1,
          reinterpret_cast<Ints>(__builtin_shufflevector(t0, t2, 1, 9, 3, 11, 5, 13, 7, 15)));
    visit(4 * c + 2,
          reinterpret_cast<Ints>(__builtin_shufflevector(t1, t3, 0, 8, 2, 10, 4, 12, 6, 14)));
    visit(4 * c + 3,
          reinterpret_cast<Ints>(__builtin_shufflevector(t1, t3, 1, 9, 3, 11, 5, 13, 7, 15)));
  }
}

inline void pack_left(const int8_t* right, int8_t* left) {
  transpose(right, [left](int row, const Ints& bytes) { store(left + row * kRowBytes, bytes); });
}

inline Floats rounded(const Floats& value) {  // to a whole number; below 2^22
  constexpr float kWhole = 12582912.0f;
  return (value + kWhole) - kWhole;
}

// The high and low parts of ratings (Int8): rows 0 and 1 of a tile whose other rows are zero.
inline void pack_ratings(const float* values, int count, float scale, int8_t* tile) {
  float padded[kTileBlock];
  if (count < kTileBlock) {
    for (int i = 0; i < kTileBlock; ++i) padded[i] = i < count ? values[i] : 0.0f;
    values = padded;
  }
  using Narrow [[gnu::vector_size(16)]] = int8_t;
#pragma GCC unroll 4
  for (int i = 0; i < kTileBlock; i += kVector) {
    const Floats whole = rounded(load<Floats>(values + i) * scale * 0.5f);
    const Floats high = rounded(whole * (1.0f / 254));
    const Floats low = whole - 254.0f * high;
    store(tile + i, __builtin_convertvector(__builtin_convertvector(high, Ints), Narrow));
    store(tile + kRowBytes + i,
          __builtin_convertvector(__builtin_convertvector(low, Ints), Narrow));
  }
}

// Blocks that are packed before they are multiplied, so sums pass through memory once for all.
constexpr int blocks_of_group(int tiles) {
  constexpr int kMaxBytes = 40 << 10;  // of the first-level cache
  constexpr int kMinBlocks = 4;
  const int blocks = kMaxBytes / ((2 * tiles + 1) * static_cast<int>(kTileBytes));
  return blocks > kMinBlocks ? blocks : kMinBlocks;
}

// A thread's memory at `kTiles` tiles a side.
template <int kTiles>
struct alignas(64) Memory {
  static constexpr int kBlocks = blocks_of_group(kTiles), kWidth = kTiles * kTileSide;
  int8_t ratings[kBlocks][kTileBytes];  // of which rows from the third on stay zero
  union {
    int8_t packed[kBlocks][kTiles][2][kTileBytes];  // right, left
    float a[kWidth][kWidth];                        // A_u over the scales but for lambda
  };
  int32_t sums[sum_tiles(kTiles)][kTileSide][kTileSide];
  float long_sums[sum_tiles(kTiles)][kTileSide][kTileSide];  // of a row longer than kMaxTileRatings
  float vector[kWidth];                                      // that A_u multiplies
};

// The tiles of a pass: those of two by two features, or of one by two where the number is odd. On
// the diagonal b_u's are among them, with one operand at a time in a tile of its own.
template <int kTiles, int kRows, bool kFirst>
inline void multiply_across(Tiles& tiles, Memory<kTiles>& m, int blocks, int i, int j) {
  const auto sums = [&](int row, int column) { return m.sums[tile_index(i + row, j + column)]; };
  const auto begin = [&]<int kTile>(const void* from) {
    kFirst ? tiles.template zero<kTile>() : tiles.template load<kTile>(from);
  };
  begin.template operator()<0>(sums(0, 0));
  begin.template operator()<1>(sums(0, 1));
  if constexpr (kRows > 1) {
    begin.template operator()<2>(sums(1, 0));
    begin.template operator()<3>(sums(1, 1));
  }
  for (int b = 0; b < blocks; ++b) {
    const auto& packed = m.packed[b];
    tiles.template load<6>(packed[j][0]);
    tiles.template load<4>(packed[i][1]);
    tiles.template multiply<0, 4, 6>();
    tiles.template load<7>(packed[j + 1][0]);
    tiles.template multiply<1, 4, 7>();
    if constexpr (kRows > 1) {
      tiles.template load<5>(packed[i + 1][1]);
      tiles.template multiply<2, 5, 6>();
      tiles.template multiply<3, 5, 7>();
    }
  }
  tiles.template save<0>(sums(0, 0));
  tiles.template save<1>(sums(0, 1));
  if constexpr (kRows > 1) {
    tiles.template save<2>(sums(1, 0));
    tiles.template save<3>(sums(1, 1));
  }
}

template <int kTiles, int kRows, bool kFirst>
inline void multiply_diagonal(Tiles& tiles, Memory<kTiles>& m, int blocks, int i) {
  constexpr int kBias = tile_index(kTiles, 0);
  const auto begin = [&]<int kTile>(const void* from) {
    kFirst ? tiles.template zero<kTile>() : tiles.template load<kTile>(from);
  };
  begin.template operator()<0>(m.sums[tile_index(i, i)]);
  begin.template operator()<3>(m.sums[kBias + i]);
  if constexpr (kRows > 1) {
    begin.template operator()<1>(m.sums[tile_index(i + 1, i)]);
    begin.template operator()<2>(m.sums[tile_index(i + 1, i + 1)]);
    begin.template operator()<4>(m.sums[kBias + i + 1]);
  }
  for (int b = 0; b < blocks; ++b) {
    const auto& packed = m.packed[b];
    tiles.template load<5>(packed[i][0]);
    tiles.template load<7>(packed[i][1]);
    tiles.template multiply<0, 7, 5>();
    if constexpr (kRows > 1) {
      tiles.template load<6>(packed[i + 1][0]);
      tiles.template load<7>(packed[i + 1][1]);
      tiles.template multiply<1, 7, 5>();
      tiles.template multiply<2, 7, 6>();
    }
    tiles.template load<7>(m.ratings[b]);
    tiles.template multiply<3, 7, 5>();
    if constexpr (kRows > 1) tiles.template multiply<4, 7, 6>();
  }
  tiles.template save<0>(m.sums[tile_index(i, i)]);
  tiles.template save<3>(m.sums[kBias + i]);
  if constexpr (kRows > 1) {
    tiles.template save<1>(m.sums[tile_index(i + 1, i)]);
    tiles.template save<2>(m.sums[tile_index(i + 1, i + 1)]);
    tiles.template save<4>(m.sums[kBias + i + 1]);
  }
}

template <int kTiles, bool kFirst>
inline void multiply_group(Tiles& tiles, Memory<kTiles>& m, int blocks) {
  for (int i = 0; i + 1 < kTiles; i += 2) {
    for (int j = 0; j < i; j += 2) multiply_across<kTiles, 2, kFirst>(tiles, m, blocks, i, j);
    multiply_diagonal<kTiles, 2, kFirst>(tiles, m, blocks, i);
  }
  if constexpr (kTiles % 2 == 1) {
    constexpr int kLast = kTiles - 1;
    for (int j = 0; j < kLast; j += 2)
      multiply_across<kTiles, 1, kFirst>(tiles, m, blocks, kLast, j);
    multiply_diagonal<kTiles, 1, kFirst>(tiles, m, blocks, kLast);
  }
}

// Where a missing rating's factors are read.
alignas(64) inline constexpr int8_t kZeros[kMaxTileRank] = {};

// Asks for the factors of ratings [4 k, 4 k + 4) of those that follow.
template <int kTiles>
inline void prefetch_rows(const TileTask& task, const int32_t* next, int ahead, int k) {
  constexpr int64_t kBytes = ByteFactors{kTiles * kTileSide}.row_bytes();
#pragma GCC unroll 4
  for (int e = 4 * k; e < 4 * k + 4; ++e)
    if (e < ahead)
#pragma GCC unroll 4
      for (int64_t at = 0; at < kBytes; at += kRowBytes)
        __builtin_prefetch(task.rows + next[e] * kBytes + at);
}

// The right tiles of `count` ratings from `at` on: all of a block if `kWhole`. The factors of those
// that follow are asked for.
template <int kTiles, bool kWhole>
inline void pack_right(const TileTask& task, int64_t at, int count,
                       int8_t (&packed)[kTiles][2][kTileBytes]) {
  constexpr int64_t kBytes = ByteFactors{kTiles * kTileSide}.row_bytes();
  constexpr int kFours = kTiles / 4 * 4;
  const int32_t* const indices = task.indices + at;
  const int64_t left = task.nnz - at - count;
  const int ahead = left < kTileBlock ? static_cast<int>(left) : kTileBlock;
  const auto row_of = [&](int k) {
    return kWhole || k < count ? task.rows + indices[k] * kBytes : kZeros;
  };
  int k = 0;
  for (; 4 * k < count; ++k) {
    const int8_t* const rows[] = {row_of(4 * k), row_of(4 * k + 1), row_of(4 * k + 2),
                                  row_of(4 * k + 3)};
    prefetch_rows<kTiles>(task, indices + count, ahead, k);
#pragma GCC unroll 4
    for (int tile = 0; tile < kFours; tile += 4)
      interleave(rows, kTileSide * tile, [&](int i, const Shorts& bytes) {
        store(packed[tile + i][0] + k * kRowBytes, bytes);
      });
#pragma GCC unroll 4
    for (int tile = kFours; tile < kTiles; ++tile) {
      const int place = kTileSide * tile;
      const Ints joined = join(rows[0] + place, rows[1] + place, rows[2] + place, rows[3] + place);
      store(packed[tile][0] + k * kRowBytes,
            __builtin_shuffle(reinterpret_cast<Bytes>(joined), kInterleaving));
    }
  }
  for (; k < kTileSide; ++k) {
    prefetch_rows<kTiles>(task, indices + count, ahead, k);
    for (int tile = 0; tile < kTiles; ++tile) store(packed[tile][0] + k * kRowBytes, Bytes{});
  }
}

// Ratings [at, at + count) as tiles of a block.
template <int kTiles>
inline void pack_block(const TileTask& task, int64_t at, int count, Memory<kTiles>& m, int block) {
  auto& packed = m.packed[block];
  if (count == kTileBlock)
    pack_right<kTiles, true>(task, at, kTileBlock, packed);
  else
    pack_right<kTiles, false>(task, at, count, packed);
  pack_ratings(task.values + at, count, task.rating_scale, m.ratings[block]);
  for (int tile = 0; tile < kTiles; ++tile) pack_left(packed[tile][0], packed[tile][1]);
}

// The sums of ratings [begin, end).
template <int kTiles>
inline void form(Tiles& tiles, const TileTask& task, int64_t begin, int64_t end,
                 Memory<kTiles>& m) {
  for (int64_t at = begin; at < end;) {
    const bool first = at == begin;
    int blocks = 0;
    for (; blocks < Memory<kTiles>::kBlocks && at < end; ++blocks) {
      const int count = end - at < kTileBlock ? static_cast<int>(end - at) : kTileBlock;
      pack_block(task, at, count, m, blocks);
      at += count;
    }
    if (first)
      multiply_group<kTiles, true>(tiles, m, blocks);
    else
      multiply_group<kTiles, false>(tiles, m, blocks);
  }
}

// A_u over its scales, of the sums, in integers or in floats.
template <int kTiles, class Sum>
inline void make_matrix(const TileTask& task, Memory<kTiles>& m,
                        const Sum (*sums)[kTileSide][kTileSide]) {
  constexpr int kWidth = Memory<kTiles>::kWidth;
  const auto put = [&](int row, int column, const Ints& bits) {
    Floats value;
    if constexpr (sizeof(Sum) == sizeof(float) && Sum(0.5) != Sum(0))
      value = reinterpret_cast<Floats>(bits);
    else
      value = __builtin_convertvector(bits, Floats);
    if (task.added != nullptr) value += load<Floats>(task.added + int64_t{row} * kWidth + column);
    store(&m.a[row][column], value);
  };
  for (int i = 0; i < kTiles; ++i)
    for (int j = 0; j <= i; ++j) {
      const auto* const tile = sums[tile_index(i, j)];
#pragma GCC unroll 4
      for (int row = 0; row < kTileSide; ++row)
        put(kTileSide * i + row, kTileSide * j, load<Ints>(tile[row]));
      if (i != j)
        transpose(tile, [&](int row, const Ints& bits) {
          put(kTileSide * j + row, kTileSide * i, bits);
        });
    }
}

inline float total(const Floats& v) {
  const Floats halves =
      v + __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  const Floats quarters = halves + __builtin_shufflevector(halves, halves, 4, 5, 6, 7, 0, 1, 2, 3,
                                                           12, 13, 14, 15, 8, 9, 10, 11);
  return (quarters[0] + quarters[2]) + (quarters[1] + quarters[3]);
}

// Vectors of a row's system.
template <int kTiles>
struct System {
  using Vector = Floats[kTiles];
  static constexpr int kWidth = Memory<kTiles>::kWidth;

  const TileTask& task;
  Memory<kTiles>& m;
  float diagonal;  // what A_u's has added

  Floats scale(int tile) const { return load<Floats>(task.scales + kTileSide * tile); }

  static float dot(const Vector& a, const Vector& b) {
    Floats sum = a[0] * b[0];
#pragma GCC unroll 16
    for (int i = 1; i < kTiles; ++i) sum += a[i] * b[i];
    return total(sum);
  }

  // y = A_u v. A is symmetric: its rows times the elements of v add up to that.
  [[gnu::noinline]] void multiply(const Vector& v, Vector& y) const {
    constexpr int kChains = kTiles == 1 ? 8 : kTiles == 2 ? 4 : kTiles < 8 ? 2 : 1;
#pragma GCC unroll 16
    for (int i = 0; i < kTiles; ++i) store(m.vector + kTileSide * i, scale(i) * v[i]);
    Floats sums[kChains][kTiles] = {};
    for (int row = 0; row < kWidth; row += kChains)
#pragma GCC unroll 8
      for (int c = 0; c < kChains; ++c)
#pragma GCC unroll 16
        for (int i = 0; i < kTiles; ++i)
          sums[c][i] += m.vector[row + c] * load<Floats>(&m.a[row + c][kTileSide * i]);
#pragma GCC unroll 16
    for (int i = 0; i < kTiles; ++i) {
      Floats sum = sums[0][i];
#pragma GCC unroll 8
      for (int c = 1; c < kChains; ++c) sum += sums[c][i];
      y[i] = scale(i) * sum + diagonal * v[i];
    }
  }

  template <class Sum>
  void bias(const Sum (*sums)[kTileSide][kTileSide], Vector& b) const {
    constexpr float kHigh = 508, kLow = 2;  // Int8's
    constexpr int kBias = tile_index(kTiles, 0);
    const float unit = 1 / task.rating_scale;
#pragma GCC unroll 16
    for (int i = 0; i < kTiles; ++i) {
      using Parts [[gnu::vector_size(64)]] = Sum;
      const Floats high = __builtin_convertvector(load<Parts>(sums[kBias + i][0]), Floats);
      const Floats low = __builtin_convertvector(load<Parts>(sums[kBias + i][1]), Floats);
      b[i] = scale(i) * (unit * (kHigh * high + kLow * low));
    }
  }

  // Over the diagonal; 0 where that is zero, and so are its row and r.
  void inverse_diagonal(Vector& inverse) const {
#pragma GCC unroll 16
    for (int i = 0; i < kTiles; ++i) {
      Floats d;
      for (int e = 0; e < kTileSide; ++e) d[e] = m.a[kTileSide * i + e][kTileSide * i + e];
      d = scale(i) * scale(i) * d + diagonal;
      inverse[i] = d > 0 ? 1.0f / d : Floats{};
    }
  }
};

// As conjugate_gradient of cg.h; r begins as b.
template <int kTiles>
inline int solve(const System<kTiles>& system, const CgOptions& options, Floats (&x)[kTiles],
                 Floats (&r)[kTiles]) {
  using S = System<kTiles>;
  typename S::Vector p, ap, z, inverse = {};
  const float enough = options.tolerance * options.tolerance * S::dot(r, r);
  if (options.warm_start) {
    system.multiply(x, ap);
    for (int i = 0; i < kTiles; ++i) r[i] -= ap[i];
  }
  if (options.jacobi) system.inverse_diagonal(inverse);
  const auto precondition = [&] {
    for (int i = 0; i < kTiles; ++i) z[i] = options.jacobi ? r[i] * inverse[i] : r[i];
    return S::dot(r, z);
  };
  float rz = precondition();
  for (int i = 0; i < kTiles; ++i) p[i] = z[i];
  const auto goes_on = [&] { return (options.jacobi && enough > 0 ? S::dot(r, r) : rz) > enough; };
  int step = 0;
  for (; step < options.steps && goes_on(); ++step) {
    system.multiply(p, ap);
    const float pap = S::dot(p, ap);
    if (!(pap > 0)) break;
    const float alpha = rz / pap;
    for (int i = 0; i < kTiles; ++i) x[i] += alpha * p[i];
    if (step + 1 == options.steps) continue;
    for (int i = 0; i < kTiles; ++i) r[i] -= alpha * ap[i];
    const float next = precondition();
    const float beta = next / rz;
    for (int i = 0; i < kTiles; ++i) p[i] = z[i] + beta * p[i];
    rz = next;
  }
  return step;
}

// The sums of rows that are longer than kMaxTileRatings, added up in floats.
template <int kTiles>
inline void form_long(Tiles& tiles, const TileTask& task, int64_t begin, int64_t end,
                      Memory<kTiles>& m) {
  constexpr int kSums = sum_tiles(kTiles) * kTileSide;
  auto* const sums = &m.sums[0][0];
  auto* const long_sums = &m.long_sums[0][0];
  for (int64_t at = begin; at < end; at += kMaxTileRatings) {
    form(tiles, task, at, end - at < kMaxTileRatings ? end : at + kMaxTileRatings, m);
    for (int i = 0; i < kSums; ++i) {
      const Floats part = __builtin_convertvector(load<Ints>(sums[i]), Floats);
      store(long_sums[i], at == begin ? part : load<Floats>(long_sums[i]) + part);
    }
  }
}

// A row's system and its solution; CG's steps.
template <int kTiles>
inline int update_row(Tiles& tiles, const TileTask& task, int64_t row, Memory<kTiles>& m,
                      Floats (&x)[kTiles]) {
  const int64_t begin = task.offsets[row], end = task.offsets[row + 1], count = end - begin;
  const System<kTiles> system{task, m, task.lambda * (task.weighted ? count : 1)};
  Floats r[kTiles];
  if (count > kMaxTileRatings) {
    form_long(tiles, task, begin, end, m);
    make_matrix(task, m, m.long_sums);
    system.bias(m.long_sums, r);
  } else {
    form(tiles, task, begin, end, m);
    make_matrix(task, m, m.sums);
    system.bias(m.sums, r);
  }
  return solve(system, task.cg, x, r);
}

template <int kTiles>
inline Memory<kTiles>& begin(void* memory) {
  auto& m = *static_cast<Memory<kTiles>*>(memory);
  __builtin_memset(m.ratings, 0, sizeof(m.ratings));
  return m;
}

template <int kTiles>
void update(const TileTask& task, int64_t first, int64_t last, void* memory, uint32_t* largest) {
  auto& m = begin<kTiles>(memory);
  constexpr int kWidth = Memory<kTiles>::kWidth;
  Tiles tiles;
  for (int64_t row = first; row < last; ++row) {
    float* const solution = task.solution + row * task.pitch;
    float values[kWidth];
    Floats x[kTiles] = {};
    int steps = 0;
    if (task.offsets[row] < task.offsets[row + 1]) {
      if (task.cg.warm_start) {
        for (int i = 0; i < kWidth; ++i)
          values[i] = task.features[i] >= 0 ? solution[task.features[i]] : 0.0f;
        for (int i = 0; i < kTiles; ++i) x[i] = load<Floats>(values + kTileSide * i);
      }
      steps = update_row(tiles, task, row, m, x);
    }
    for (int i = 0; i < kTiles; ++i) {
      store(values + kTileSide * i, x[i]);
      const Ints bits = reinterpret_cast<Ints>(x[i]) & 0x7fffffff;
      const Ints before = load<Ints>(largest + kTileSide * i);
      store(largest + kTileSide * i, bits > before ? bits : before);
    }
    for (int i = 0; i < kWidth; ++i)
      if (task.features[i] >= 0) solution[task.features[i]] = values[i];
    if (task.steps != nullptr) task.steps[row] = steps;
    if (task.status != nullptr) task.status[row] = 0;
  }
}

template <int kTiles>
void form_row(const TileTask& task, int64_t row, void* memory, int32_t* sums) {
  auto& m = begin<kTiles>(memory);
  Tiles tiles;
  form(tiles, task, task.offsets[row], task.offsets[row + 1], m);
  __builtin_memcpy(sums, m.sums, sizeof(m.sums));
}

template <int... i>
constexpr auto functions(std::integer_sequence<int, i...>) {
  struct Table {
    decltype(TileKernels::update) update[kMaxTileRank / kTileSide];
    decltype(TileKernels::form) form[kMaxTileRank / kTileSide];
    int64_t bytes[kMaxTileRank / kTileSide];
  };
  return Table{{update<i + 1>...}, {form_row<i + 1>...}, {sizeof(Memory<i + 1>)...}};
}
constexpr auto kFunctions = functions(std::make_integer_sequence<int, kMaxTileRank / kTileSide>());

inline constexpr TileKernels kernels(const char* name) {
  return {name, [](int rank) { return kFunctions.bytes[tiles_of_rank(rank) - 1]; },
          [](const TileTask& task, int64_t first, int64_t last, void* memory, uint32_t* largest) {
            kFunctions.update[tiles_of_rank(task.rank) - 1](task, first, last, memory, largest);
          },
          [](const TileTask& task, int64_t row, void* memory, int32_t* sums) {
            kFunctions.form[tiles_of_rank(task.rank) - 1](task, row, memory, sums);
          }};
}

}  // namespace alsbench::ALSBENCH_TILES
