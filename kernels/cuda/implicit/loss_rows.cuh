// SPDX-License-Identifier: Apache-2.0
// Loss of implicit ALS over all cells, the part of the ratings: a block a part of the rows,
// Partials::threads_of_row() a row of ratings, a thread a rating. Dot products are float, their
// sums double; the order of summation is fixed, so results repeat. Grid: kLossPartials blocks.
#pragma once

#include "kernels/cuda/device/dot.cuh"
#include "kernels/cuda/device/reduce.cuh"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

template <int kRank, int kThreads>
__global__ void __launch_bounds__(kThreads, 1024 / kThreads)
    implicit_loss_rows(ImplicitLossParams p) {
  __shared__ double sums[kThreads / 32];
  const int part = static_cast<int>(blockIdx.x);
  const int64_t end_row = p.partials.end_of(part, p.ratings.rows);
  const float* x = static_cast<const float*>(p.x.data);
  const float* theta = static_cast<const float*>(p.theta.data);

  const int threads = Partials::threads_of_row(p.ratings.rows, kThreads);

  double loss = 0, squares = 0, confidence = 0;
  for (int64_t u = p.partials.begin_of(part, p.ratings.rows) + threadIdx.x / threads; u < end_row;
       u += kThreads / threads) {
    const int64_t end = p.ratings.offsets[u + 1];
    for (int64_t cell = p.ratings.offsets[u] + threadIdx.x % threads; cell < end; cell += threads) {
      const int64_t v = p.ratings.indices[cell];
      const float rating = p.ratings.values[cell];
      const double s = dot_rows<kRank>(x + u * p.x.pitch, theta + v * p.theta.pitch);
      const double added = added_confidence(rating, p.alpha);
      const double error = (rating > 0 ? 1 : 0) - s;
      loss += (1 + added) * error * error - s * s;
      squares += s * s;
      confidence += added;
    }
  }
  const auto keep = [&](double sum, double* partials) {
    sum = block_sum<kThreads>(sum, sums);
    if (threadIdx.x == 0) partials[blockIdx.x] = sum;
    __syncthreads();
  };
  keep(loss, p.losses);
  keep(squares, p.squares);
  keep(confidence, p.confidence);
}

}  // namespace alsbench
