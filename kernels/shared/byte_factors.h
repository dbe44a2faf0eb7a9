// SPDX-License-Identifier: Apache-2.0
// Factors stored as bytes with one scale a feature: element i of row j is scale(i) q(j, i). The
// scales leave the sums: A_u(i, j) = scale(i) scale(j) sum q(i) q(j) + lambda n_u (i == j). A byte
// is a signed integer, whose sums are exact, or a float of eight bits.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Meaning of a byte q: multiples of kUnit, up to kLargest in magnitude. Ratings are multiplied as
// two more features: r = (kRatingHigh high + kRatingLow low) / scale, the scale being
// RatingsView::half_scale. These two are the scales of the last two columns.
struct Int8 {
  int8_t bits;
  static constexpr int32_t kLargest = 127, kRatingHigh = 508, kRatingLow = 2;
  static constexpr float kUnit = 1;
};
// e4m3: a sign, 4 bits of exponent and 3 of significand, no infinity. The low part of a rating has
// the 4 bits behind those of the high one, and its sign a fifth: 2^-9 of a rating are lost at most,
// and nothing of a whole number up to 512.
struct Fp8 {
  uint8_t bits;
  static constexpr int32_t kLargest = 448, kRatingHigh = 128, kRatingLow = 4;
  static constexpr float kUnit = 1.0f / 512;
};

// Roots of weights by which ratings multiply factor rows before these become bytes. Row k of such a
// copy is factor row k / count times values[k % count]; the scales are those of the largest root.
struct Int8Weights {
  static constexpr int32_t kMaxValue = 32;
  int32_t count = 1;
  float values[kMaxValue] = {1};

  ALSBENCH_HOST_DEVICE constexpr float largest() const {
    float largest = 0;
    for (int32_t i = 0; i < count; ++i) largest = values[i] > largest ? values[i] : largest;
    return largest;
  }
};

// Scales for rows that become bytes before all of them are solved: those of the rows before them,
// with headroom.
struct CarriedScales {
  static constexpr int32_t kMaxRank = 256;
  static constexpr float kHeadroom = 1.125f, kMaxSlack = 1.34f;
  float largest[kMaxRank];  // magnitude of a feature that its scale holds

  // Whether the scale of magnitudes up to `carried` suits a feature whose largest is `largest`.
  // Never where that is NaN.
  ALSBENCH_HOST_DEVICE static constexpr bool suits(float carried, float largest) {
    return largest <= carried && largest * kMaxSlack >= carried;
  }
};

// The scales that rows get.
enum class ByteScales : int32_t {
  own,       // of the largest magnitudes there
  carried,   // those that are carried over
  suitable,  // the same, if they suit all features; or else their own
  renewed,   // their own, unless those suit: nothing is stored then
};

// Where the scales and the rows lie in a copy of a factor matrix.
struct ByteFactors {
  int32_t rank = 0;

  // The features and the two parts of a rating, in blocks of 8.
  ALSBENCH_HOST_DEVICE constexpr int32_t columns() const { return (rank + 2 + 7) / 8 * 8; }
  // Of a row, which has the features alone: a multiple of 32, so a row lies in as few sectors of 32
  // bytes as can be; no row of up to 128 lies in two lines of the cache.
  ALSBENCH_HOST_DEVICE constexpr int32_t row_bytes() const {
    const int32_t sectors = (rank + 31) / 32;
    return 32 * (sectors == 3 ? 4 : sectors);
  }
  // Byte of a feature in its row. Of 16 features the first and the second 8 alternate: transposing
  // 16 bits at a time then gives both.
  ALSBENCH_HOST_DEVICE constexpr int32_t place(int32_t feature) const {
    return feature / 16 * 16 + feature % 8 * 2 + feature / 8 % 2;
  }
  // The feature whose byte is at a place.
  ALSBENCH_HOST_DEVICE constexpr int32_t feature(int32_t place) const {
    return place / 16 * 16 + place % 2 * 8 + place % 16 / 2;
  }

  // The copy begins with a float a column: its scale, zero for the columns between the features and
  // the rating. Behind them as many words, the largest magnitudes of the features, as bits.
  ALSBENCH_HOST_DEVICE constexpr int32_t scales() const { return (columns() + 31) / 32 * 32; }
  ALSBENCH_HOST_DEVICE constexpr int64_t largest_at() const { return int64_t{4} * scales(); }
  ALSBENCH_HOST_DEVICE constexpr int64_t rows_at() const { return int64_t{8} * scales(); }
  ALSBENCH_HOST_DEVICE constexpr int64_t bytes(int64_t rows) const {
    return rows_at() + rows * row_bytes();
  }
};

}  // namespace alsbench
