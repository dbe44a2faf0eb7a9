// SPDX-License-Identifier: Apache-2.0
// Rung 1 of the hermitian ladder, the paper's get_hermitian (section III): factor rows are staged
// in shared memory a bin at a time; each thread keeps a T x T tile of A_u's lower triangle in
// registers; A_u is written once, both halves. Block: one row of ratings (or one pass of its tiles,
// where the tiles outnumber the threads); grid: rows x passes; shared memory as TiledLayout says.
#pragma once

#include "kernels/cuda/device/tile.cuh"
#include "kernels/cuda/hermitian/gather.cuh"
#include "kernels/cuda/hermitian/parameters.cuh"
#include "kernels/cuda/hermitian/tiled_layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// Keeps the registers of the tile occupied, so the phase `load` runs at the kernel's occupancy: one
// addition an element and bin, where the whole kernel has kBin.
template <int kTile>
__device__ __forceinline__ void keep_tile(float (&tile)[kTile][kTile], int count) {
#pragma unroll
  for (int e = 0; e < kTile * kTile; ++e) tile[e / kTile][e % kTile] += static_cast<float>(count);
}

// The row of ratings that a block works on.
struct RowCells {
  const FactorsView& factors;
  const int32_t* cells;  // the columns
  int length;
};
// The shared memory of a block: factor rows and indices, kBuffers bins of each.
struct BinBuffers {
  float* rows;
  int32_t* indices;
};

// Brings the factor rows of a row's cells to shared memory, a bin of kBin at a time.
template <int kRank, int kBin, int kThreads, int kPitch, int kBuffers, Gather kGather, bool kL1,
          typename Factor>
struct BinGather {
  static constexpr int kIndices = (kBin + kThreads - 1) / kThreads;  // of a thread
  const RowCells& row;
  const BinBuffers& buffers;

  __device__ __forceinline__ int count(int first) const {
    return row.length - first < kBin ? row.length - first : kBin;
  }
  __device__ __forceinline__ void fetch_indices(int32_t (&next)[kIndices], int first) const {
#pragma unroll
    for (int i = 0; i < kIndices; ++i) {
      const int k = threadIdx.x + i * kThreads;
      next[i] = k < count(first) ? load_index(row.cells + first + k) : 0;
    }
  }
  __device__ __forceinline__ void keep_indices(const int32_t (&next)[kIndices], int buffer) const {
#pragma unroll
    for (int i = 0; i < kIndices; ++i)
      if (const int k = threadIdx.x + i * kThreads; k < kBin)
        buffers.indices[buffer * kBin + k] = next[i];
  }
  __device__ __forceinline__ void gather(int first, int buffer) const {
    float* target = buffers.rows + buffer * (kBin * kPitch);
    const int32_t* source = buffers.indices + buffer * kBin;
    const Factor* data = static_cast<const Factor*>(row.factors.data);
    constexpr bool kAsync = kBuffers > 1;
    if constexpr (kGather == Gather::strided)
      gather_strided<kRank, kBin, kThreads, kPitch, kL1, kAsync>(target, source, count(first), data,
                                                                 row.factors.pitch);
    else
      gather_coalesced<kRank, kBin, kThreads, kPitch, kL1, kAsync>(target, source, count(first),
                                                                   data, row.factors.pitch);
    if constexpr (kAsync) commit_copies();
  }
};

// Gathers the factor rows of the row's cells, a bin at a time, and accumulates them into the tile.
// With two buffers the copies of a bin are under way while the bin before is accumulated.
template <int kRank, int kTile, int kBin, int kThreads, int kBuffers, Gather kGather, bool kL1,
          bool kSymmetric, typename Factor, Phase kPhase>
__device__ __forceinline__ void accumulate_row(float (&tile)[kTile][kTile], const RowCells& row,
                                               const BinBuffers& buffers, TilePlace place,
                                               int group) {
  constexpr TiledLayout kLayout{kRank, kTile, kBin, kThreads, kSymmetric};
  constexpr int kPitch = kLayout.pitch(), kAhead = kBuffers - 1;
  using Bins = BinGather<kRank, kBin, kThreads, kPitch, kBuffers, kGather, kL1, Factor>;
  const Bins bins{row, buffers};

  int32_t next[Bins::kIndices];
  if constexpr (kPhase != Phase::compute) {
    bins.fetch_indices(next, 0);
    bins.keep_indices(next, 0);
    if constexpr (kAhead > 0) {
      __syncthreads();
      bins.gather(0, 0);
      bins.fetch_indices(next, kBin);
      bins.keep_indices(next, 1);
    }
  }
  int buffer = 0;
  for (int first = 0; first < row.length; first += kBin) {
    const int ahead = (buffer + kAhead) % kBuffers;
    // The indices of the bin to gather are there, and no thread still reads the buffer it goes to.
    __syncthreads();
    if constexpr (kPhase != Phase::compute) {
      bins.gather(first + kAhead * kBin, ahead);
      bins.fetch_indices(next, first + (kAhead + 1) * kBin);
      if constexpr (kAhead > 0) wait_copies<kAhead>();
    }
    __syncthreads();
    if constexpr (kPhase == Phase::load)
      keep_tile(tile, bins.count(first));
    else if (group < kLayout.groups())
      accumulate_tile<kTile, kLayout.vector(), kLayout.segment_rows(), kPitch>(
          tile, buffers.rows + buffer * (kBin * kPitch), place, group, kLayout.groups(),
          bins.count(first));
    buffer = (buffer + 1) % kBuffers;
    if constexpr (kPhase != Phase::compute) bins.keep_indices(next, (buffer + kAhead) % kBuffers);
  }
  __syncthreads();
}

// Adds lambda n_u I and writes the tiles of the block: through shared memory in whole rows of A_u
// where the block holds all tiles, else straight from registers.
template <int kRank, int kTile, int kBin, int kThreads, bool kSymmetric, typename Output>
__device__ __forceinline__ void write_row(float (&tile)[kTile][kTile], Output* matrix,
                                          float* shared, TilePlace place, bool active,
                                          float diagonal, float scale) {
  constexpr TiledLayout kLayout{kRank, kTile, kBin, kThreads, kSymmetric};
  constexpr int kVector = kLayout.vector(), kSegmentRows = kLayout.segment_rows();
  if (place.row == place.column)
#pragma unroll
    for (int e = 0; e < kTile; ++e) tile[e][e] += diagonal;
#pragma unroll
  for (int segment = 0; segment < kLayout.segments(); ++segment) {
    Output* target = matrix + segment * kSegmentRows * kRank;
    if constexpr (kLayout.passes() == 1) {
      Output* staged = reinterpret_cast<Output*>(shared);
      if (active)
        write_segment<kRank, kTile, kVector, kSegmentRows, kSymmetric>(staged, tile, place, segment,
                                                                       scale);
      __syncthreads();
      constexpr int kAligned = kRank * kRank % 8 == 0 && kSegmentRows * kRank % 8 == 0   ? 8
                               : kRank * kRank % 4 == 0 && kSegmentRows * kRank % 4 == 0 ? 4
                               : kRank * kRank % 2 == 0 && kSegmentRows * kRank % 2 == 0 ? 2
                                                                                         : 1;
      const int left = kRank - segment * kSegmentRows;
      const int rows = left < kSegmentRows ? left : kSegmentRows;
      if (rows > 0) copy_out<kThreads, kAligned>(target, staged, rows * kRank);
      __syncthreads();
    } else if (active) {
      write_segment<kRank, kTile, kVector, kSegmentRows, kSymmetric>(target, tile, place, segment,
                                                                     scale);
    }
  }
}

// Work of a thread on the row that its block works on.
struct TileShare {
  int group = 0;   // of the threads that share the factor rows of a bin
  int slot = 0;    // its tile among the block's
  int number = 0;  // its tile among all
  bool holds_tile = false;
  TilePlace place;
};
template <int kRank, int kTile, int kBin, int kThreads, bool kSymmetric>
__device__ __forceinline__ TileShare share_of(int pass) {
  constexpr TiledLayout kLayout{kRank, kTile, kBin, kThreads, kSymmetric};
  TileShare share;
  share.group = threadIdx.x / kLayout.tiles_per_pass();
  share.slot = threadIdx.x % kLayout.tiles_per_pass();
  share.number = pass * kLayout.tiles_per_pass() + share.slot;
  share.holds_tile = share.number < kLayout.tiles();
  share.place = place_of_tile<kSymmetric, kLayout.side()>(share.holds_tile ? share.number : 0);
  return share;
}

// Adds lambda n_u I to the tiles of group 0 and writes them as batch row `batch_row` of A.
template <int kRank, int kTile, int kBin, int kThreads, bool kSymmetric, typename Output>
__device__ __forceinline__ void write_matrix(float (&tile)[kTile][kTile], const UpdateParams& p,
                                             int64_t batch_row, int length, float* shared,
                                             const TileShare& share) {
  Output* matrix = static_cast<Output*>(p.matrices) + batch_row * (kRank * kRank);
  const float count = static_cast<float>(length);
  const float diagonal = length > 0 ? p.lambda * count : 1.0f;  // an empty row has A_u = I
  // FP16 holds A_u / n_u, since lambda n_u alone overflows it.
  const float scale = sizeof(Output) == 2 && length > 0 ? 1.0f / count : 1.0f;
  write_row<kRank, kTile, kBin, kThreads, kSymmetric>(
      tile, matrix, shared, share.place, share.group == 0 && share.holds_tile, diagonal, scale);
}

template <int kRank, int kTile, int kBin, int kThreads, int kBuffers, Gather kGather, bool kL1,
          bool kSymmetric, typename Factor, typename Output, Phase kPhase>
__global__ void __launch_bounds__(
    kThreads, (TiledLayout{kRank, kTile, kBin, kThreads}.blocks_per_multiprocessor()))
    tiled_hermitian(UpdateParams p) {
  constexpr TiledLayout kLayout{kRank, kTile, kBin, kThreads, kSymmetric, sizeof(Output), kBuffers};
  extern __shared__ float4 shared_memory[];
  float* shared = reinterpret_cast<float*>(shared_memory);
  int32_t* indices =
      reinterpret_cast<int32_t*>(reinterpret_cast<char*>(shared) + kLayout.buffer_bytes());

  const int64_t batch_row = blockIdx.x / kLayout.passes();
  if (batch_row >= p.row_count) return;
  const int64_t begin = p.ratings.offsets[p.first_row + batch_row];
  // No cell stands twice in a row, so its length fits the index type.
  const int length = static_cast<int>(p.ratings.offsets[p.first_row + batch_row + 1] - begin);
  const TileShare share = share_of<kRank, kTile, kBin, kThreads, kSymmetric>(
      static_cast<int>(blockIdx.x % kLayout.passes()));

  float tile[kTile][kTile];
#pragma unroll
  for (int e = 0; e < kTile * kTile; ++e)
    tile[e / kTile][e % kTile] = kPhase == Phase::write || kPhase == Phase::load
                                     ? static_cast<float>(threadIdx.x + e)
                                     : 0.0f;
  if constexpr (kPhase == Phase::compute)
    for (int i = threadIdx.x; i < kBuffers * kBin * kLayout.pitch(); i += kThreads)
      shared[i] = static_cast<float>(i % 17);
  if constexpr (kPhase != Phase::write)
    accumulate_row<kRank, kTile, kBin, kThreads, kBuffers, kGather, kL1, kSymmetric, Factor,
                   kPhase>(tile, {p.factors, p.ratings.indices + begin, length}, {shared, indices},
                           share.place, share.group);

  if constexpr (kPhase == Phase::load || kPhase == Phase::compute) {
    if (p.lambda >= 0) return;  // always; what follows only keeps the phase's work alive
    for (int i = threadIdx.x; i < kBuffers * kBin * kLayout.pitch(); i += kThreads)
      tile[0][0] += shared[i];
  } else if constexpr (kLayout.groups() > 1) {
    sum_groups<kTile, kLayout.tiles_per_pass(), kLayout.groups(), kLayout.reduced_rows()>(
        tile, shared, share.group, share.slot);
  }
  write_matrix<kRank, kTile, kBin, kThreads, kSymmetric, Output>(tile, p, batch_row, length, shared,
                                                                 share);
}

}  // namespace alsbench
