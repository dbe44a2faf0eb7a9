// SPDX-License-Identifier: Apache-2.0
// Rows of a batch as items: whole, or cut into pieces where they are longer than a chunk.
#pragma once

#include "kernels/cuda/rows/pieces.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

__device__ __forceinline__ RowCounters* row_counters(const UpdateParams& p) {
  return static_cast<RowCounters*>(p.workspace);
}
// The items as they are listed, before any ordering.
__device__ __forceinline__ RowItem* listed_items(const UpdateParams& p) {
  return reinterpret_cast<RowItem*>(static_cast<char*>(p.workspace) + PieceWorkspace::kItemsAt);
}
// Of buckets or keys: their items, then how many of them are placed.
__device__ __forceinline__ uint32_t* item_counters(const UpdateParams& p) {
  return reinterpret_cast<uint32_t*>(static_cast<char*>(p.workspace) + PieceWorkspace::kCountersAt);
}

// The cells of a row of the batch, and its pieces; one where it is not cut.
struct ListedRow {
  int64_t begin = 0;
  int count = 0, pieces = 1;
};
__device__ __forceinline__ ListedRow listed_row(const UpdateParams& p, int64_t batch_row) {
  const int64_t* offsets = p.ratings.offsets + p.first_row + batch_row;
  ListedRow row{offsets[0], static_cast<int>(offsets[1] - offsets[0])};
  const int chunk = p.plan.pieces.chunk;
  if (row.count > chunk) row.pieces = (row.count - 1) / chunk + 1;
  return row;
}

// visit(begin, count, piece) gets the row, or each of its pieces.
template <typename Visit>
__device__ __forceinline__ void for_each_item(const UpdateParams& p, const ListedRow& row,
                                              Visit&& visit) {
  const int chunk = p.plan.pieces.chunk;
  for (int piece = 0; piece < row.pieces; ++piece) {
    const int left = row.count - piece * chunk;
    visit(row.begin + int64_t{piece} * chunk, left < chunk ? left : chunk, piece);
  }
}

// The bucket of the first column that an item names.
__device__ __forceinline__ int column_bucket(const UpdateParams& p, int64_t begin) {
  const auto columns = static_cast<uint32_t>(p.ratings.cols);
  const uint32_t width = (columns + kColumnBuckets - 1) / kColumnBuckets;
  return static_cast<int>(static_cast<uint32_t>(p.ratings.indices[begin]) / width);
}

// A row's piece, or the row; `slot`: of the row's first piece, or -1.
__device__ __forceinline__ RowItem item_of(int64_t begin, int count, int batch_row, int slot,
                                           int piece, int bucket) {
  return {begin, begin - count, batch_row, slot < 0 ? -1 : slot + piece, bucket, 0};
}

// The slot of a row's first piece, of which sum_pieces is told; -1 where the row is not cut.
__device__ __forceinline__ int take_slots(const UpdateParams& p, int batch_row,
                                          const ListedRow& row) {
  if (row.pieces == 1) return -1;
  RowCounters* counters = row_counters(p);
  auto* split_rows =
      reinterpret_cast<SplitRow*>(static_cast<char*>(p.workspace) + p.plan.pieces.split_rows_at);
  const int slot = static_cast<int>(atomicAdd(&counters->slots, static_cast<uint32_t>(row.pieces)));
  split_rows[atomicAdd(&counters->split_rows, 1u)] = {batch_row, row.count, slot, row.pieces};
  return slot;
}

}  // namespace alsbench
