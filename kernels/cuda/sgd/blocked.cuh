// SPDX-License-Identifier: Apache-2.0
// sgd_epoch on blocks without common rows or columns, a warp a worker. A worker keeps its row block
// and passes column blocks on around the ring: it takes one when its neighbour has finished it, and
// waits for no other. Ratings of a row and of a column are therefore updated in one order. All
// workers must be on the device at once. Grid: enough warps for p.ratings.grid workers.
#pragma once

#include "kernels/cuda/device/flag.cuh"
#include "kernels/cuda/sgd/update.cuh"

namespace alsbench {

template <int kRank, typename Factor, int kThreads>
__global__ void __launch_bounds__(kThreads, 1) sgd_blocked(SgdParams p) {
  const int32_t grid = p.ratings.grid;
  const int32_t worker = (blockIdx.x * kThreads + threadIdx.x) / 32;
  if (worker >= grid) return;
  for (int32_t step = 0; step < grid; ++step) {
    const int32_t column = column_block(worker, step, grid);
    wait_for(p.workspace + column, step);
    const int64_t* block = p.ratings.blocks + int64_t{worker} * grid + column;
    update_ratings<kRank, Factor, 32, true>(p, block[0], block[1], block[1] - block[0]);
    announce(p.workspace + column, step + 1);
  }
}

}  // namespace alsbench
