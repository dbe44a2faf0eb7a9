// SPDX-License-Identifier: Apache-2.0
// Sorts the rows of a batch by what works on them: short rows by classes of length, rows that a
// warp takes whole, and long rows, which are cut. Two kernels, in place of plan_rows: the first
// counts, so that the second can place. Any grid.
#pragma once

#include "kernels/cuda/rows/cut.cuh"

namespace alsbench {

// The class of a short row, then kShortClasses: a whole row; kShortClasses + 1: one to be cut.
__device__ __forceinline__ int kind_of_row(const PieceLayout& layout, int64_t count) {
  if (count > layout.chunk) return kShortClasses + 1;
  return count > layout.short_ratings ? kShortClasses : short_class(static_cast<int>(count));
}

__device__ __forceinline__ int64_t row_length(const UpdateParams& p, int64_t batch_row) {
  const int64_t* offsets = p.ratings.offsets + p.first_row + batch_row;
  return offsets[1] - offsets[0];
}

__device__ __forceinline__ ShortRowCounters* short_row_counters(const UpdateParams& p) {
  return reinterpret_cast<ShortRowCounters*>(static_cast<char*>(p.workspace) +
                                             PieceWorkspace::kShortCountersAt);
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads) count_short_rows(UpdateParams p) {
  constexpr int kKinds = kShortClasses + 1;
  __shared__ uint32_t counts[kKinds];
  const int thread = threadIdx.x;
  if (thread < kKinds) counts[thread] = 0;
  __syncthreads();
  for (int64_t row = int64_t{blockIdx.x} * kThreads + thread; row < p.row_count;
       row += int64_t{gridDim.x} * kThreads)
    if (const int kind = kind_of_row(p.plan.pieces, row_length(p, row)); kind < kKinds)
      atomicAdd(&counts[kind], 1u);
  __syncthreads();
  if (thread < kKinds && counts[thread] > 0)
    atomicAdd(&short_row_counters(p)->counted[thread], counts[thread]);
}

// Short rows go to their list, class after class; whole rows to the front of the items, before the
// pieces, which are handed out first.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) place_short_rows(UpdateParams p) {
  constexpr int kKinds = kShortClasses + 1;
  __shared__ uint32_t counts[kKinds], first[kKinds];
  char* base = static_cast<char*>(p.workspace);
  ShortRowCounters* counters = short_row_counters(p);
  auto* list = reinterpret_cast<ShortRow*>(base + p.plan.pieces.short_rows_at);
  auto* items = reinterpret_cast<RowItem*>(base + PieceWorkspace::kPiecesAt);
  const int thread = threadIdx.x;
  const auto whole = static_cast<int>(counters->counted[kShortClasses]);
  if (blockIdx.x == 0 && thread == 0)
    atomicAdd(&reinterpret_cast<RowCounters*>(base)->tickets, -whole);
  for (int64_t start = int64_t{blockIdx.x} * kThreads; start < p.row_count;
       start += int64_t{gridDim.x} * kThreads) {
    if (thread < kKinds) counts[thread] = 0;
    __syncthreads();
    const int64_t row = start + thread;
    const int64_t count = row < p.row_count ? row_length(p, row) : 0;
    const int kind = row < p.row_count ? kind_of_row(p.plan.pieces, count) : -1;
    const bool placed = kind >= 0 && kind < kKinds;
    const uint32_t place = placed ? atomicAdd(&counts[kind], 1u) : 0;
    __syncthreads();
    if (thread < kKinds && counts[thread] > 0)
      first[thread] = atomicAdd(&counters->placed[thread], counts[thread]);
    __syncthreads();
    if (placed) {
      const int64_t begin = p.ratings.offsets[p.first_row + row];
      if (kind == kShortClasses)
        items[first[kind] + place] = {begin, begin + count, static_cast<int32_t>(row), -1, 0, 0};
      else
        list[counters->before(kind) + first[kind] + place] = {begin, static_cast<int32_t>(count),
                                                              static_cast<int32_t>(row)};
    } else if (kind > kShortClasses) {
      cut_row(p, row, whole);
    }
    __syncthreads();
  }
}

}  // namespace alsbench
