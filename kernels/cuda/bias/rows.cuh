// SPDX-License-Identifier: Apache-2.0
// b_u = sum r theta (paper, eq. 2), a block a row of ratings: groups of lanes read one factor row
// each, 4 elements a lane, and are summed in shared memory in a fixed order. Grid: rows of the
// batch.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

template <int kRank, int kThreads, bool kL1, typename Factor>
__global__ void __launch_bounds__(kThreads) bias_rows(UpdateParams p) {
  constexpr int kVectors = (kRank + 3) / 4;
  constexpr int kLanes = kVectors > 16  ? 32
                         : kVectors > 8 ? 16
                         : kVectors > 4 ? 8
                         : kVectors > 2 ? 4
                         : kVectors > 1 ? 2
                                        : 1;
  constexpr int kSteps = (kVectors + kLanes - 1) / kLanes;
  constexpr int kGroups = kThreads / kLanes;
  constexpr int kWidth = kVectors * 4;
  __shared__ float4 partials[kGroups * kVectors];

  const int64_t batch_row = blockIdx.x;
  if (batch_row >= p.row_count) return;
  const int64_t begin = p.ratings.offsets[p.first_row + batch_row];
  const int64_t end = p.ratings.offsets[p.first_row + batch_row + 1];
  const int group = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
  const Factor* factors = static_cast<const Factor*>(p.factors.data);

  float sum[kSteps][4] = {};
#pragma unroll 4
  for (int64_t cell = begin + group; cell < end; cell += kGroups) {
    const float rating = p.ratings.values[cell];
    const Factor* theta =
        factors + static_cast<int64_t>(load_index(p.ratings.indices + cell)) * p.factors.pitch;
#pragma unroll
    for (int turn = 0; turn < kSteps; ++turn) {
      const int vector = lane + turn * kLanes;
      if (vector >= kVectors) continue;
      float v[4];
      load_vector<kL1>(v, theta + vector * 4);
#pragma unroll
      for (int e = 0; e < 4; ++e) sum[turn][e] += rating * v[e];
    }
  }
#pragma unroll
  for (int turn = 0; turn < kSteps; ++turn)
    if (const int vector = lane + turn * kLanes; vector < kVectors)
      partials[group * kVectors + vector] =
          make_float4(sum[turn][0], sum[turn][1], sum[turn][2], sum[turn][3]);
  __syncthreads();
  const float* flat = reinterpret_cast<const float*>(partials);
  float* bias = p.bias + batch_row * p.solution.pitch;
  for (int column = threadIdx.x; column < p.solution.pitch; column += kThreads) {
    float total = 0;
    if (column < kRank)
      for (int g = 0; g < kGroups; ++g) total += flat[g * kWidth + column];
    bias[column] = total;
  }
}

}  // namespace alsbench
