// SPDX-License-Identifier: Apache-2.0
// Lists the pieces of the long rows of a batch, and the rows that are not much shorter. Any grid.
#pragma once

#include "kernels/cuda/rows/cut.cuh"

namespace alsbench {

template <int kThreads>
__global__ void __launch_bounds__(kThreads) plan_rows(UpdateParams p) {
  RowCounters* counters = row_counters(p);
  RowItem* items = listed_items(p);
  uint32_t* buckets = item_counters(p);
  for (int64_t batch_row = int64_t{blockIdx.x} * kThreads + threadIdx.x; batch_row < p.row_count;
       batch_row += int64_t{gridDim.x} * kThreads) {
    const ListedRow row = listed_row(p, batch_row);
    if (row.count <= p.plan.pieces.listed_above) continue;
    const int number = static_cast<int>(batch_row), slot = take_slots(p, number, row);
    uint32_t place = atomicAdd(&counters->items, static_cast<uint32_t>(row.pieces));
    atomicAdd(&counters->tickets, -row.pieces);
    for_each_item(p, row, [&](int64_t begin, int count, int piece) {
      int bucket = 0;
      if (p.plan.pieces.ordered != 0) {
        bucket = column_bucket(p, begin);
        atomicAdd(&buckets[bucket], 1u);
      }
      items[place++] = {begin, begin - count, number, slot < 0 ? -1 : slot + piece, bucket, 0};
    });
  }
}

}  // namespace alsbench
