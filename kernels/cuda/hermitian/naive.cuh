// SPDX-License-Identifier: Apache-2.0
// Rung 0 of the hermitian ladder: one thread an entry of A_u, no shared memory. The baseline for
// the tiled kernel (paper, section III). Block: kThreads entries of one matrix; grid: rows x
// ceil(rank^2 / kThreads).
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// Work of block `block` of the grid.
template <int kRank, int kThreads, bool kL1, typename Factor, typename Output>
__device__ __forceinline__ void naive_block(const UpdateParams& p, unsigned int block) {
  constexpr int kBlocks = (kRank * kRank + kThreads - 1) / kThreads;
  const int64_t batch_row = block / kBlocks;
  const int entry = block % kBlocks * kThreads + threadIdx.x;
  if (batch_row >= p.row_count || entry >= kRank * kRank) return;
  const int row = entry / kRank, column = entry % kRank;

  const int64_t begin = p.ratings.offsets[p.first_row + batch_row];
  const int64_t end = p.ratings.offsets[p.first_row + batch_row + 1];
  const Factor* factors = static_cast<const Factor*>(p.factors.data);
  float sum = 0;
#pragma unroll 4
  for (int64_t cell = begin; cell < end; ++cell) {
    const Factor* theta = factors + static_cast<int64_t>(p.ratings.indices[cell]) * p.factors.pitch;
    float a[1], b[1];
    load_vector<kL1>(a, theta + row);
    load_vector<kL1>(b, theta + column);
    sum += a[0] * b[0];
  }
  const float count = static_cast<float>(end - begin);
  if (row == column) sum += end > begin ? p.lambda * count : 1.0f;
  // FP16 holds A_u / n_u, since lambda n_u alone overflows it.
  if (sizeof(Output) == 2 && end > begin) sum /= count;
  const float value[1] = {sum};
  store_vector(static_cast<Output*>(p.matrices) + batch_row * (kRank * kRank) + entry, value);
}

template <int kRank, int kThreads, bool kL1, typename Factor, typename Output>
__global__ void __launch_bounds__(kThreads) naive_hermitian(UpdateParams p) {
  naive_block<kRank, kThreads, kL1, Factor, Output>(p, blockIdx.x);
}

}  // namespace alsbench
