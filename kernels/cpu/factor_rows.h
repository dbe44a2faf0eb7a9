// SPDX-License-Identifier: Apache-2.0
// Rows of ratings and of the fixed side's factors, as the CPU stages read them.
#pragma once

#include <algorithm>

#include "kernels/cpu/simd/simd.h"
#include "kernels/shared/views.h"

namespace alsbench {

struct RatingRow {
  const int32_t* indices;
  const float* values;
  int64_t count;
  int64_t after;  // ratings from `indices` to the end of the matrix
};

inline RatingRow rating_row(const RatingsView& ratings, int64_t row) {
  const int64_t begin = ratings.offsets[row];
  return {ratings.indices + begin, ratings.values + begin, ratings.offsets[row + 1] - begin,
          ratings.nnz - begin};
}

// Asks for factor row `index`, which is read soon.
inline void prefetch_factor_row(const FactorsView& factors, bool half, int64_t index) {
  constexpr int64_t kLineBytes = 64;
  const int64_t element = half ? 2 : 4, bytes = element * factors.rank;
  const char* row = static_cast<const char*>(factors.data) + element * factors.pitch * index;
  for (int64_t at = 0; at < bytes; at += kLineBytes) __builtin_prefetch(row + at, 0, 2);
}

// Copies factor row `index` in float to `target` (rank floats).
inline void read_factor_row(const FactorsView& factors, bool half, int64_t index, float* target) {
  const int64_t begin = index * factors.pitch;
  if (half)
    simd().from_half(static_cast<const uint16_t*>(factors.data) + begin, target, factors.rank);
  else
    std::copy_n(static_cast<const float*>(factors.data) + begin, factors.rank, target);
}

// Factor row `index` in float: in place, or converted into `buffer` (rank floats).
inline const float* factor_row(const FactorsView& factors, bool half, int64_t index,
                               float* buffer) {
  if (!half) return static_cast<const float*>(factors.data) + index * factors.pitch;
  read_factor_row(factors, half, index, buffer);
  return buffer;
}

}  // namespace alsbench
