// SPDX-License-Identifier: Apache-2.0
// Lists all rows of a batch, and the pieces of those longer than a chunk, in place of plan_rows and
// order_pieces. A counting sort by length, of two kernels: the first counts, so the second can
// place. Rows that are not long stay near each other, as their ratings are, unless items are dealt.
// Short rows come last, class after class; pieces may be in the order of columns. Any grid.
#pragma once

#include "kernels/cuda/rows/cut.cuh"

namespace alsbench {

// The key of an item; `is_whole`: a row that is not cut.
__device__ __forceinline__ int key_of(const UpdateParams& p, int64_t begin, int count,
                                      bool is_whole) {
  const PieceLayout& layout = p.plan.pieces;
  if (is_whole && layout.short_ratings > 0 && count <= layout.short_ratings)
    return kShortKeys + short_class(count);
  if (!is_whole && layout.ordered != 0) return kColumnKeys + column_bucket(p, begin);
  return count > layout.listed_above ? length_class(count) : 0;
}

// visit(row) gets the rows of the batch that this thread lists.
template <int kThreads, typename Visit>
__device__ __forceinline__ void for_each_listed_row(const UpdateParams& p, Visit&& visit) {
  for (int64_t row = int64_t{blockIdx.x} * kThreads + threadIdx.x; row < p.row_count;
       row += int64_t{gridDim.x} * kThreads)
    visit(row);
}

// The items of each key that this block lists. Ends with a barrier.
template <int kThreads>
__device__ __forceinline__ void count_keys(const UpdateParams& p, uint32_t* counts) {
  for (int key = threadIdx.x; key < kItemKeys; key += kThreads) counts[key] = 0;
  __syncthreads();
  for_each_listed_row<kThreads>(p, [&](int64_t row) {
    const ListedRow listed = listed_row(p, row);
    for_each_item(p, listed, [&](int64_t begin, int count, int) {
      atomicAdd(&counts[key_of(p, begin, count, listed.pieces == 1)], 1u);
    });
  });
  __syncthreads();
}

// first[key] = items of the keys before. Ends with a barrier.
template <int kThreads>
__device__ __forceinline__ void sum_keys(uint32_t* first, const uint32_t* counts) {
  constexpr int kEach = (kItemKeys + kThreads - 1) / kThreads;
  __shared__ uint32_t sums[kThreads];
  const int thread = threadIdx.x, begin = thread * kEach;
  const int end = begin + kEach < kItemKeys ? begin + kEach : kItemKeys;
  uint32_t own = 0;
  for (int key = begin; key < end; ++key) own += counts[key];
  sums[thread] = own;
  __syncthreads();
  for (int step = 1; step < kThreads; step *= 2) {
    const uint32_t left = thread >= step ? sums[thread - step] : 0;
    __syncthreads();
    sums[thread] += left;
    __syncthreads();
  }
  uint32_t before = sums[thread] - own;
  for (int key = begin; key < end; ++key) {
    first[key] = before;
    before += counts[key];
  }
  __syncthreads();
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads) count_items(UpdateParams p) {
  __shared__ uint32_t counts[kItemKeys];
  count_keys<kThreads>(p, counts);
  uint32_t* all = item_counters(p);
  for (int key = threadIdx.x; key < kItemKeys; key += kThreads)
    if (counts[key] > 0) atomicAdd(&all[key], counts[key]);
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads) place_items(UpdateParams p) {
  __shared__ uint32_t counts[kItemKeys], next[kItemKeys];
  count_keys<kThreads>(p, counts);
  const uint32_t* all = item_counters(p);
  sum_keys<kThreads>(next, all);
  RowCounters* counters = row_counters(p);
  if (blockIdx.x == 0) {
    const int thread = threadIdx.x;
    if (thread <= kShortClasses)
      counters->short_begin[thread] = thread < kShortClasses
                                          ? next[kShortKeys + thread]
                                          : next[kItemKeys - 1] + all[kItemKeys - 1];
    if (thread == 0) {
      counters->items = next[kShortKeys];
      counters->tickets = -static_cast<int>(next[kShortKeys]);
    }
    __syncthreads();
  }
  uint32_t* placed = item_counters(p) + kItemKeys;
  for (int key = threadIdx.x; key < kItemKeys; key += kThreads)
    if (counts[key] > 0) next[key] += atomicAdd(&placed[key], counts[key]);
  __syncthreads();

  RowItem* items = listed_items(p);
  for_each_listed_row<kThreads>(p, [&](int64_t batch_row) {
    const ListedRow row = listed_row(p, batch_row);
    const int number = static_cast<int>(batch_row), slot = take_slots(p, number, row);
    for_each_item(p, row, [&](int64_t begin, int count, int piece) {
      const int key = key_of(p, begin, count, row.pieces == 1);
      items[atomicAdd(&next[key], 1u)] = item_of(begin, count, number, slot, piece, 0);
    });
  });
}

}  // namespace alsbench
