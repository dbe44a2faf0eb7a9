// SPDX-License-Identifier: Apache-2.0
// sgd_epoch without locks: batch-Hogwild (Xie et al., CuMF_SGD, HPDC 2017, section 5). A group of
// lanes takes kBatch ratings that follow each other, as many groups side by side as the device
// holds. Two of them may write the same row; the last one stays. A block is a warp; any grid.
#pragma once

#include "kernels/cuda/sgd/update.cuh"

namespace alsbench {

template <int kRank, typename Factor, int kBatch, int kWarps>
__global__ void __launch_bounds__(32, kWarps) sgd_lock_free(SgdParams p) {
  constexpr int kLanes = sgd_lanes(kRank, sizeof(Factor));
  constexpr int64_t kWorkers = 32 / kLanes;  // of a warp
  const int64_t worker = threadIdx.x / kLanes;
  for (int64_t first = blockIdx.x * kWorkers; first * kBatch < p.ratings.count;
       first += gridDim.x * kWorkers) {
    const int64_t begin = (first + worker) * kBatch, end = begin + kBatch;
    update_ratings<kRank, Factor, kLanes, false>(
        p, begin, end < p.ratings.count ? end : p.ratings.count, kBatch);
  }
}

}  // namespace alsbench
