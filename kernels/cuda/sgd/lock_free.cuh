// SPDX-License-Identifier: Apache-2.0
// sgd_epoch without locks: batch-Hogwild (Xie et al., CuMF_SGD, HPDC 2017, section 5). A group of
// lanes takes kBatch ratings that follow each other, as many groups side by side as the device
// holds. Two of them may write the same row; the last one stays. Any grid.
#pragma once

#include "kernels/cuda/sgd/update.cuh"

namespace alsbench {

template <int kRank, typename Factor, int kBatch, int kThreads, int kBlocks>
__global__ void __launch_bounds__(kThreads, kBlocks) sgd_lock_free(SgdParams p) {
  constexpr int kLanes = sgd_lanes(kRank, sizeof(Factor));
  const int64_t workers = int64_t{gridDim.x} * (kThreads / kLanes);
  const int64_t worker = (int64_t{blockIdx.x} * kThreads + threadIdx.x) / kLanes;
  const int64_t first_of_warp = worker - threadIdx.x % 32 / kLanes;
  for (int64_t turn = 0; (first_of_warp + turn) * kBatch < p.ratings.count; turn += workers) {
    const int64_t begin = (worker + turn) * kBatch, end = begin + kBatch;
    update_ratings<kRank, Factor, kLanes, false>(
        p, begin, end < p.ratings.count ? end : p.ratings.count, kBatch);
  }
}

}  // namespace alsbench
