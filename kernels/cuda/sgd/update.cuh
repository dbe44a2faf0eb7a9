// SPDX-License-Identifier: Apache-2.0
// Ratings one after another, by a group of lanes. The factors of a row stay in registers while its
// ratings follow each other.
#pragma once

#include "kernels/cuda/sgd/factor_row.cuh"
#include "kernels/shared/params/sgd.h"

namespace alsbench {

// The ratings [begin, end), of which there are at most `count`. All groups of a warp call it
// together, with the same `count`. kFarColumns: L2 does not hold the columns' factors, and a group
// has them to itself: they are asked for as soon as a rating is known, and read one rating ahead.
// Else the rows are asked for.
template <int kRank, typename Factor, int kLanes, bool kFarColumns>
__device__ __forceinline__ void update_ratings(const SgdParams& p, int64_t begin, int64_t end,
                                               int64_t count) {
  constexpr unsigned kAll = 0xffffffffu;
  constexpr int kRowBytes = factor_pitch(kRank) * sizeof(Factor), kLineBytes = 128;
  const int lane = threadIdx.x % kLanes, first_lane = threadIdx.x % 32 - lane;
  const float kept = 1 - p.rate * p.lambda;

  FactorRow<kRank, Factor, kLanes> x, theta, ahead;
  int32_t row = -1, col = -1;  // whose factors x and theta are
  for (int64_t chunk = begin; chunk < begin + count; chunk += kLanes) {
    const int64_t own = chunk + lane;
    const bool is_there = own < end;
    const int32_t own_row = is_there ? load_index(p.ratings.rows + own) : -1;
    const int32_t own_col = is_there ? load_index(p.ratings.cols + own) : -1;
    const float own_value = is_there ? p.ratings.values[own] : 0;
    const FactorsView& far = kFarColumns ? p.col_factors : p.row_factors;
    const int32_t far_row = kFarColumns ? own_col : own_row;
    if (is_there)
      for (int byte = 0; byte < kRowBytes; byte += kLineBytes)
        prefetch(static_cast<const char*>(far.data) + int64_t{far_row} * kRowBytes + byte);
#pragma unroll 4
    for (int i = 0; i < kLanes; ++i) {
      const int32_t new_row = __shfl_sync(kAll, own_row, first_lane + i);
      const int32_t new_col = __shfl_sync(kAll, own_col, first_lane + i);
      const float value = __shfl_sync(kAll, own_value, first_lane + i);
      const int32_t later = __shfl_sync(kAll, own_col, first_lane + (i + 1) % kLanes);
      const bool reads_ahead = kFarColumns && i + 1 < kLanes && later >= 0 && later != new_col;
      if (new_row >= 0) {
        if (new_row != row) {
          if (row >= 0) x.store(p.row_factors, row, lane);
          x.load(p.row_factors, new_row, lane);
          row = new_row;
        }
        if (new_col != col) theta.load(p.col_factors, new_col, lane);
        if (reads_ahead) ahead.load(p.col_factors, later, lane);
      }
      float sum = x.dot(theta);
#pragma unroll
      for (int step = kLanes / 2; step > 0; step /= 2) sum += __shfl_xor_sync(kAll, sum, step);
      if (new_row >= 0) {
        x.exchange_add(kept, p.rate * (value - sum), theta);
        theta.store(p.col_factors, new_col, lane);
        if (reads_ahead) theta = ahead;
        col = reads_ahead ? later : new_col;
      }
    }
  }
  if (row >= 0) x.store(p.row_factors, row, lane);
}

}  // namespace alsbench
