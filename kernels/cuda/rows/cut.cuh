// Cuts the rows of a batch that are longer than a chunk into pieces. Used by the first kernels of
// variants that work in pieces; any grid.
#pragma once

#include "kernels/cuda/rows/pieces.cuh"
#include "kernels/shared/params.h"

namespace alsbench {

template <int kChunk, bool kOrdered>
__device__ __forceinline__ void cut_row(const UpdateParams& p, int64_t batch_row) {
  const int64_t begin = p.ratings.offsets[p.first_row + batch_row];
  const int64_t end = p.ratings.offsets[p.first_row + batch_row + 1];
  if (end - begin <= kChunk) return;
  const PieceWorkspace workspace{p.ratings.nnz, kChunk};
  char* base = static_cast<char*>(p.workspace);
  auto* counters = reinterpret_cast<RowCounters*>(base);
  auto* buckets = reinterpret_cast<uint32_t*>(base + PieceWorkspace::kBucketsAt);
  auto* items = reinterpret_cast<RowItem*>(base + PieceWorkspace::kPiecesAt);
  auto* split_rows = reinterpret_cast<SplitRow*>(base + workspace.split_rows_at());

  const int pieces = static_cast<int>((end - begin + kChunk - 1) / kChunk);
  const int slot = static_cast<int>(atomicAdd(&counters->pieces, static_cast<uint32_t>(pieces)));
  atomicAdd(&counters->tickets, -pieces);
  const uint32_t place = atomicAdd(&counters->split_rows, 1u);
  const int row = static_cast<int>(batch_row);
  split_rows[place] = {row, static_cast<int32_t>(end - begin), slot, pieces};
  for (int i = 0; i < pieces; ++i) {
    const int64_t first = begin + int64_t{i} * kChunk;
    int bucket = 0;
    if constexpr (kOrdered) {
      bucket =
          static_cast<int>(p.ratings.indices[first] * int64_t{kColumnBuckets} / p.ratings.cols);
      atomicAdd(&buckets[bucket], 1u);
    }
    items[slot + i] = {first, first + kChunk < end ? first + kChunk : end, row, slot + i, bucket,
                       0};
  }
}

// All rows of the batch, by all threads of the grid.
template <int kChunk, bool kOrdered>
__device__ __forceinline__ void cut_rows(const UpdateParams& p, int64_t thread, int64_t threads) {
  for (int64_t row = thread; row < p.row_count; row += threads) cut_row<kChunk, kOrdered>(p, row);
}

}  // namespace alsbench
