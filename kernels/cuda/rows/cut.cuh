// SPDX-License-Identifier: Apache-2.0
// Cuts the rows of a batch that are longer than a chunk into pieces; any grid.
#pragma once

#include "kernels/cuda/rows/pieces.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// `first_item`: the pieces' place among the items.
__device__ __forceinline__ void cut_row(const UpdateParams& p, int64_t batch_row,
                                        int first_item = 0) {
  const int64_t begin = p.ratings.offsets[p.first_row + batch_row];
  const int64_t end = p.ratings.offsets[p.first_row + batch_row + 1];
  const PieceLayout& layout = p.plan.pieces;
  const auto count = static_cast<uint32_t>(end - begin);
  const auto chunk = static_cast<uint32_t>(layout.chunk);
  if (count <= chunk) return;
  char* base = static_cast<char*>(p.workspace);
  auto* counters = reinterpret_cast<RowCounters*>(base);
  auto* buckets = reinterpret_cast<uint32_t*>(base + PieceWorkspace::kBucketsAt);
  auto* items = reinterpret_cast<RowItem*>(base + PieceWorkspace::kPiecesAt);
  auto* split_rows = reinterpret_cast<SplitRow*>(base + layout.split_rows_at);

  const int pieces = static_cast<int>((count + chunk - 1) / chunk);
  const int slot = static_cast<int>(atomicAdd(&counters->pieces, static_cast<uint32_t>(pieces)));
  atomicAdd(&counters->tickets, -pieces);
  const uint32_t place = atomicAdd(&counters->split_rows, 1u);
  const int row = static_cast<int>(batch_row);
  split_rows[place] = {row, static_cast<int32_t>(count), slot, pieces};
  const uint32_t width =
      (static_cast<uint32_t>(p.ratings.cols) + kColumnBuckets - 1) / kColumnBuckets;
  for (int i = 0; i < pieces; ++i) {
    const int64_t first = begin + static_cast<int64_t>(i) * layout.chunk;
    int bucket = 0;
    if (layout.ordered != 0) {
      bucket = static_cast<int>(static_cast<uint32_t>(p.ratings.indices[first]) / width);
      atomicAdd(&buckets[bucket], 1u);
    }
    items[first_item + slot + i] = {
        first, first + chunk < end ? first + chunk : end, row, slot + i, bucket, 0};
  }
}

// All rows of the batch, by all threads of the grid.
__device__ __forceinline__ void cut_rows(const UpdateParams& p, int64_t thread, int64_t threads) {
  for (int64_t row = thread; row < p.row_count; row += threads) cut_row(p, row);
}

}  // namespace alsbench
