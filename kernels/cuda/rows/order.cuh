// SPDX-License-Identifier: Apache-2.0
// Orders the listed items by the first column they name: warps that run together then read
// the same part of the factors, which the L2 cache holds though it does not hold all of them. A
// counting sort over buckets of columns; any grid. Runs between the cutting and the working kernel.
#pragma once

#include "kernels/cuda/rows/cut.cuh"

namespace alsbench {

// first[b] = pieces in the buckets before b. Ends with a barrier.
template <int kThreads>
__device__ __forceinline__ void sum_buckets(uint32_t* first, const uint32_t* counts) {
  constexpr int kEach = kColumnBuckets / kThreads;
  static_assert(kEach * kThreads == kColumnBuckets, "whole buckets a thread");
  __shared__ uint32_t sums[kThreads];
  uint32_t own = 0;
  for (int i = 0; i < kEach; ++i) own += counts[threadIdx.x * kEach + i];
  sums[threadIdx.x] = own;
  __syncthreads();
  for (uint32_t step = 1; step < kThreads; step *= 2) {
    const uint32_t left = threadIdx.x >= step ? sums[threadIdx.x - step] : 0;
    __syncthreads();
    sums[threadIdx.x] += left;
    __syncthreads();
  }
  uint32_t before = sums[threadIdx.x] - own;
  for (int i = 0; i < kEach; ++i) {
    first[threadIdx.x * kEach + i] = before;
    before += counts[threadIdx.x * kEach + i];
  }
  __syncthreads();
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads) order_pieces(UpdateParams p) {
  __shared__ uint32_t first[kColumnBuckets];
  char* base = static_cast<char*>(p.workspace);
  const uint32_t number = row_counters(p)->items;
  if (blockIdx.x * kThreads >= number) return;  // the whole block
  uint32_t* counts = item_counters(p);
  uint32_t* placed = counts + kColumnBuckets;
  const RowItem* items = listed_items(p);
  auto* ordered = reinterpret_cast<RowItem*>(base + p.plan.pieces.items_at);
  sum_buckets<kThreads>(first, counts);
  for (uint32_t i = blockIdx.x * kThreads + threadIdx.x; i < number; i += gridDim.x * kThreads) {
    const RowItem item = items[i];
    ordered[first[item.bucket] + atomicAdd(&placed[item.bucket], 1u)] = item;
  }
}

}  // namespace alsbench
