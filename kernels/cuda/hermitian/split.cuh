// SPDX-License-Identifier: Apache-2.0
// Rung 2 of the hermitian ladder: the tiled kernel (rung 1), where no row keeps a block for long.
// Rows longer than a chunk are cut into pieces, which the first blocks work on; their sums are
// added up in order afterwards. Block: one piece or row (or one pass of its tiles); grid: (most
// items + rows) x passes. Needs plan_rows before it and split_sum after it.
#pragma once

#include "kernels/cuda/hermitian/tiled.cuh"
#include "kernels/cuda/rows/pieces.cuh"

namespace alsbench {

// The sums of the tiles of a piece, in its slot.
__device__ __forceinline__ float* slot_sums(const UpdateParams& p, int slot, int slot_floats) {
  char* base = static_cast<char*>(p.workspace) + p.plan.pieces.sums_at;
  return reinterpret_cast<float*>(base) + int64_t{slot} * slot_floats;
}

// The item of a number: the list first, then all rows, of which the listed ones are passed over;
// row -1: nothing to do.
__device__ __forceinline__ RowItem item_of(const UpdateParams& p, int64_t number) {
  const char* base = static_cast<const char*>(p.workspace);
  const int64_t items = reinterpret_cast<const RowCounters*>(base)->items;
  if (number < items)
    return reinterpret_cast<const RowItem*>(base + PieceWorkspace::kItemsAt)[number];
  RowItem item;
  const int64_t row = number - items;
  if (row >= p.row_count) return item;
  const int64_t* offsets = p.ratings.offsets + p.first_row + row;
  item.begin = offsets[0];
  item.mirrored_end = 2 * offsets[0] - offsets[1];
  if (item.count() <= p.plan.pieces.listed_above) item.row = static_cast<int32_t>(row);
  return item;
}

template <int kRank, int kTile, int kBin, int kThreads, int kBuffers, Gather kGather, bool kL1,
          typename Factor, typename Output>
__global__ void __launch_bounds__(
    kThreads, (TiledLayout{kRank, kTile, kBin, kThreads}.blocks_per_multiprocessor()))
    split_hermitian(UpdateParams p) {
  constexpr TiledLayout kLayout{kRank, kTile, kBin, kThreads, true, sizeof(Output), kBuffers};
  extern __shared__ float4 shared_memory[];
  float* shared = reinterpret_cast<float*>(shared_memory);
  int32_t* indices =
      reinterpret_cast<int32_t*>(reinterpret_cast<char*>(shared) + kLayout.buffer_bytes());

  const RowItem item = item_of(p, blockIdx.x / kLayout.passes());
  if (item.row < 0) return;
  const int length = item.count();
  const TileShare share =
      share_of<kRank, kTile, kBin, kThreads, true>(static_cast<int>(blockIdx.x % kLayout.passes()));
  float tile[kTile][kTile] = {};
  accumulate_row<kRank, kTile, kBin, kThreads, kBuffers, kGather, kL1, true, Factor, Phase::all>(
      tile, {p.factors, p.ratings.indices + item.begin, length}, {shared, indices}, share.place,
      share.group);
  if constexpr (kLayout.groups() > 1)
    sum_groups<kTile, kLayout.tiles_per_pass(), kLayout.groups(), kLayout.reduced_rows()>(
        tile, shared, share.group, share.slot);
  if (item.slot < 0) {
    write_matrix<kRank, kTile, kBin, kThreads, true, Output>(tile, p, item.row, length, shared,
                                                             share);
  } else if (share.group == 0 && share.holds_tile) {
    float* sums = slot_sums(p, item.slot, kLayout.tiles() * kTile * kTile) + share.number;
#pragma unroll
    for (int e = 0; e < kTile * kTile; ++e) sums[e * kLayout.tiles()] = tile[e / kTile][e % kTile];
  }
}

// The matrices of the rows that were cut. Block: one of them (or one pass of its tiles); grid: as
// many as there may be, x passes. Groups of threads share the pieces.
template <int kRank, int kTile, int kBin, int kThreads, int kBuffers, typename Output>
__global__ void __launch_bounds__(
    kThreads, (TiledLayout{kRank, kTile, kBin, kThreads}.blocks_per_multiprocessor()))
    split_sum(UpdateParams p) {
  constexpr TiledLayout kLayout{kRank, kTile, kBin, kThreads, true, sizeof(Output), kBuffers};
  constexpr int kSlotFloats = kLayout.tiles() * kTile * kTile;
  extern __shared__ float4 shared_memory[];
  float* shared = reinterpret_cast<float*>(shared_memory);
  const char* base = static_cast<const char*>(p.workspace);
  const int64_t number = blockIdx.x / kLayout.passes();
  if (number >= reinterpret_cast<const RowCounters*>(base)->split_rows) return;
  const SplitRow row =
      reinterpret_cast<const SplitRow*>(base + p.plan.pieces.split_rows_at)[number];

  const TileShare share =
      share_of<kRank, kTile, kBin, kThreads, true>(static_cast<int>(blockIdx.x % kLayout.passes()));
  float tile[kTile][kTile] = {};
  if (share.group < kLayout.groups() && share.holds_tile)
    for (int piece = share.group; piece < row.pieces; piece += kLayout.groups()) {
      const float* sums = slot_sums(p, row.slot + piece, kSlotFloats) + share.number;
#pragma unroll
      for (int e = 0; e < kTile * kTile; ++e)
        tile[e / kTile][e % kTile] += sums[e * kLayout.tiles()];
    }
  if constexpr (kLayout.groups() > 1)
    sum_groups<kTile, kLayout.tiles_per_pass(), kLayout.groups(), kLayout.reduced_rows()>(
        tile, shared, share.group, share.slot);
  write_matrix<kRank, kTile, kBin, kThreads, true, Output>(tile, p, row.row, row.count, shared,
                                                           share);
}

}  // namespace alsbench
