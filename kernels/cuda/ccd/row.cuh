// SPDX-License-Identifier: Apache-2.0
// A row's ratings by neighbouring threads. They read neighbouring ratings, whose columns ascend, so
// where a row has many of all columns the values of several lie in one sector.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/shared/params/ccd.h"

namespace alsbench {

struct CcdSums {
  float products = 0, squares = 0;
};

__device__ __forceinline__ CcdValues load_values(const CcdValues* p) {
  uint32_t words[4];
  load_words<true>(words, p);
  return {__uint_as_float(words[0]), __uint_as_float(words[1]), __uint_as_float(words[2]),
          __uint_as_float(words[3])};
}

__device__ __forceinline__ float load_residual(const float* p) {
  uint32_t words[1];
  load_words<false>(words, p);
  return __uint_as_float(words[0]);
}

// By `threads` threads, of which this one is number `thread`. Returns the thread's part of the
// sums. A thread has kAhead ratings under way.
template <int kAhead, bool kChanges, bool kSums>
__device__ __forceinline__ CcdSums ccd_row(const CcdUpdateParams& p, const RowBin& bin,
                                           const CcdValues& own, int thread, int threads) {
  const int32_t* indices = p.ratings.indices + bin.begin;
  float* residuals = p.residuals + bin.begin;
  CcdSums sums;
  for (int first = thread; first < bin.count; first += kAhead * threads) {
    int32_t columns[kAhead];
    float values[kAhead] = {};
    CcdValues others[kAhead];
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const int at = first + i * threads;
      if (at >= bin.count) break;
      columns[i] = load_index(indices + at);
      values[i] = load_residual(residuals + at);
    }
#pragma unroll
    for (int i = 0; i < kAhead; ++i)
      if (first + i * threads < bin.count) others[i] = load_values(p.others + columns[i]);
#pragma unroll
    for (int i = 0; i < kAhead; ++i) {
      const CcdValues& other = others[i];  // zeros beyond the row
      if (kChanges && p.first != 0) {
        values[i] += own.last_before * other.last_before - own.last_after * other.last_after;
        if (first + i * threads < bin.count) residuals[first + i * threads] = values[i];
      }
      if (kSums) {
        sums.products += (values[i] + own.before * other.before) * other.now;
        sums.squares += other.now * other.now;
      }
    }
  }
  return sums;
}

}  // namespace alsbench
