// SPDX-License-Identifier: Apache-2.0
// Lists the pieces of the long rows of a batch, and the rows that are not much shorter. Any grid.
#pragma once

#include "kernels/cuda/rows/cut.cuh"

namespace alsbench {

// A block takes the places of the rows that it looks at together: where every row took its own,
// all would wait for one counter.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) plan_rows(UpdateParams p) {
  __shared__ uint32_t items_of_block, first;
  RowCounters* counters = row_counters(p);
  RowItem* items = listed_items(p);
  uint32_t* buckets = item_counters(p);
  for (int64_t first_row = int64_t{blockIdx.x} * kThreads; first_row < p.row_count;
       first_row += int64_t{gridDim.x} * kThreads) {
    if (threadIdx.x == 0) items_of_block = 0;
    __syncthreads();
    const int64_t batch_row = first_row + threadIdx.x;
    ListedRow row;
    if (batch_row < p.row_count) row = listed_row(p, batch_row);
    const bool listed = row.count > p.plan.pieces.listed_above;
    uint32_t place = 0;
    if (listed) place = atomicAdd(&items_of_block, static_cast<uint32_t>(row.pieces));
    __syncthreads();
    if (threadIdx.x == 0 && items_of_block > 0) {
      first = atomicAdd(&counters->items, items_of_block);
      atomicAdd(&counters->tickets, -static_cast<int>(items_of_block));
    }
    __syncthreads();
    if (!listed) continue;
    place += first;
    const int number = static_cast<int>(batch_row), slot = take_slots(p, number, row);
    for_each_item(p, row, [&](int64_t begin, int count, int piece) {
      int bucket = 0;
      if (p.plan.pieces.ordered != 0) {
        bucket = column_bucket(p, begin);
        atomicAdd(&buckets[bucket], 1u);
      }
      items[place++] = item_of(begin, count, number, slot, piece, bucket);
    });
  }
}

}  // namespace alsbench
