// SPDX-License-Identifier: Apache-2.0
// Sums of squared errors for RMSE: a block a part of the rows, Partials::threads_of_row() a row of
// ratings, a thread a rating; every rating counts. Errors are float, their sums double; the order
// of summation is fixed, so results repeat. Grid: kRmsePartials blocks.
#pragma once

#include "kernels/cuda/device/dot.cuh"
#include "kernels/cuda/device/reduce.cuh"
#include "kernels/shared/params/metric.h"

namespace alsbench {

template <int kRank, int kThreads>
__global__ void __launch_bounds__(kThreads, 1024 / kThreads) rmse_rows(RmseParams p) {
  __shared__ double square_sums[kThreads / 32];
  __shared__ int64_t cold_sums[kThreads / 32];
  const int part = static_cast<int>(blockIdx.x);
  const int64_t end_row = p.partials.end_of(part, p.ratings.rows);
  const float* x = static_cast<const float*>(p.x.data);
  const float* theta = static_cast<const float*>(p.theta.data);

  const int threads = Partials::threads_of_row(p.ratings.rows, kThreads);

  double squares = 0;
  int64_t cold = 0;
  for (int64_t u = p.partials.begin_of(part, p.ratings.rows) + threadIdx.x / threads; u < end_row;
       u += kThreads / threads) {
    const int64_t begin = p.ratings.offsets[u], end = p.ratings.offsets[u + 1];
    if (begin == end) continue;
    const bool cold_row = p.train_row_offsets[u] == p.train_row_offsets[u + 1];
    for (int64_t cell = begin + threadIdx.x % threads; cell < end; cell += threads) {
      const int64_t v = p.ratings.indices[cell];
      float predicted = p.mean;
      if (cold_row || p.train_col_offsets[v] == p.train_col_offsets[v + 1])
        ++cold;
      else
        predicted = dot_rows<kRank>(x + u * p.x.pitch, theta + v * p.theta.pitch);
      const double error = static_cast<double>(p.ratings.values[cell]) - predicted;
      squares += error * error;
    }
  }
  squares = block_sum<kThreads>(squares, square_sums);
  cold = block_sum<kThreads>(cold, cold_sums);
  if (threadIdx.x == 0) {
    p.partial_sums[blockIdx.x] = squares;
    p.partial_cold[blockIdx.x] = cold;
  }
}

}  // namespace alsbench
