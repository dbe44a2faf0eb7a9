// SPDX-License-Identifier: Apache-2.0
// Operations of the body of TileKernels on registers, whatever its tiles multiply.
#pragma once

#if defined(__AVX512VBMI__)
#include <immintrin.h>
#endif

#include "kernels/cpu/tiles/tiles.h"

namespace alsbench::ALSBENCH_TILES {

using Bytes [[gnu::vector_size(64)]] = int8_t;
using Shorts [[gnu::vector_size(64)]] = int16_t;
using Ints [[gnu::vector_size(64)]] = int32_t;
using Longs [[gnu::vector_size(64)]] = int64_t;
using Floats [[gnu::vector_size(64)]] = float;

constexpr int kTileRow = 64;  // bytes
constexpr int kVector = 16;   // floats

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

// Words of two vectors in turn: the first four of every eight, and the last four.
inline Shorts low_words(const Shorts& a, const Shorts& b) {
  return __builtin_shufflevector(a, b, 0, 32, 1, 33, 2, 34, 3, 35, 8, 40, 9, 41, 10, 42, 11, 43, 16,
                                 48, 17, 49, 18, 50, 19, 51, 24, 56, 25, 57, 26, 58, 27, 59);
}
inline Shorts high_words(const Shorts& a, const Shorts& b) {
  return __builtin_shufflevector(a, b, 4, 36, 5, 37, 6, 38, 7, 39, 12, 44, 13, 45, 14, 46, 15, 47,
                                 20, 52, 21, 53, 22, 54, 23, 55, 28, 60, 29, 61, 30, 62, 31, 63);
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
      const char* const part = from + s * kTileRow + 16 * c;
      parts[s] = join(part, part + 4 * kTileRow, part + 8 * kTileRow, part + 12 * kTileRow);
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

inline float total(const Floats& v) {
  const Floats halves =
      v + __builtin_shufflevector(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  const Floats quarters = halves + __builtin_shufflevector(halves, halves, 4, 5, 6, 7, 0, 1, 2, 3,
                                                           12, 13, 14, 15, 8, 9, 10, 11);
  return (quarters[0] + quarters[2]) + (quarters[1] + quarters[3]);
}

// The values of a block; of fewer than it has a copy with zeros behind.
template <int kCount>
inline const float* padded_ratings(const float* values, int count, float (&padded)[kCount]) {
  if (count == kCount) return values;
  for (int i = 0; i < kCount; ++i) padded[i] = i < count ? values[i] : 0.0f;
  return padded;
}

}  // namespace alsbench::ALSBENCH_TILES
