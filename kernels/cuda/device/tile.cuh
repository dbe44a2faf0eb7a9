// SPDX-License-Identifier: Apache-2.0
// T x T register tiles of a symmetric matrix: their place, their accumulation from shared memory,
// their sum over groups of threads and their way out. The index sets are those of TiledLayout.
#pragma once

#include "kernels/cuda/device/load.cuh"

namespace alsbench {

// The pair of index sets (row >= column when symmetric) that tile number `tile` multiplies.
struct TilePlace {
  int row = 0;
  int column = 0;
};
template <bool kSymmetric, int kSide>
__device__ __forceinline__ TilePlace place_of_tile(int tile) {
  if constexpr (!kSymmetric) return {tile / kSide, tile % kSide};
  int row = static_cast<int>((sqrtf(8.0f * static_cast<float>(tile) + 1.0f) - 1.0f) * 0.5f);
  if (row * (row + 1) / 2 > tile) --row;
  if ((row + 1) * (row + 2) / 2 <= tile) ++row;
  return {row, tile - row * (row + 1) / 2};
}

// The T elements of index set `set` in a factor row in shared memory: vectors `kSegmentRows` apart.
template <int kTile, int kVector, int kSegmentRows>
__device__ __forceinline__ void read_set(float (&out)[kTile], const float* row_at_set) {
#pragma unroll
  for (int segment = 0; segment < kTile / kVector; ++segment) {
    const float* p = row_at_set + segment * kSegmentRows;
    float* o = out + segment * kVector;
    if constexpr (kVector == 4) {
      const float4 v = *reinterpret_cast<const float4*>(p);
      o[0] = v.x, o[1] = v.y, o[2] = v.z, o[3] = v.w;
    } else if constexpr (kVector == 2) {
      const float2 v = *reinterpret_cast<const float2*>(p);
      o[0] = v.x, o[1] = v.y;
    } else {
      o[0] = *p;
    }
  }
}

// Two factor rows at once hide the shared reads; on sm_100 and later that spills at T = 10.
#if __CUDA_ARCH__ >= 1000
inline constexpr int kAccumulateUnroll = 1;
#else
inline constexpr int kAccumulateUnroll = 2;
#endif

// tile += a b^T for each of the factor rows first, first + step, ... below `count`.
template <int kTile, int kVector, int kSegmentRows, int kPitch>
__device__ __forceinline__ void accumulate_tile(float (&tile)[kTile][kTile], const float* rows,
                                                TilePlace place, int first, int step, int count) {
  const float* a_row = rows + place.row * kVector + first * kPitch;
  const float* b_row = rows + place.column * kVector + first * kPitch;
#pragma unroll kAccumulateUnroll
  for (int k = first; k < count; k += step) {
    float a[kTile], b[kTile];
    read_set<kTile, kVector, kSegmentRows>(a, a_row);
    read_set<kTile, kVector, kSegmentRows>(b, b_row);
#pragma unroll
    for (int i = 0; i < kTile; ++i)
#pragma unroll
      for (int j = 0; j < kTile; ++j) tile[i][j] = fmaf(a[i], b[j], tile[i][j]);
    a_row += step * kPitch;
    b_row += step * kPitch;
  }
}

// Sums the tiles of `kGroups` groups of `kTiles` threads into group 0, kRows tile rows at a time
// through `shared` (kGroups / 2 x kRows x kTile x kTiles floats). All threads of the block call it;
// `slot` is the thread's tile. Ends with a barrier.
template <int kTile, int kTiles, int kGroups, int kRows>
__device__ __forceinline__ void sum_groups(float (&tile)[kTile][kTile], float* shared, int group,
                                           int slot) {
#pragma unroll
  for (int left = kGroups; left > 1; left = (left + 1) / 2) {
    const int keep = (left + 1) / 2;
#pragma unroll
    for (int begin = 0; begin < kTile; begin += kRows) {
      const int part = group >= keep ? group - keep : group;
      float* box = shared + part * (kRows * kTile * kTiles) + slot;
      if (group >= keep && group < left)
#pragma unroll
        for (int e = 0; e < kRows * kTile; ++e)
          if (begin + e / kTile < kTile) box[e * kTiles] = tile[begin + e / kTile][e % kTile];
      __syncthreads();
      if (group < left - keep)
#pragma unroll
        for (int e = 0; e < kRows * kTile; ++e)
          if (begin + e / kTile < kTile) tile[begin + e / kTile][e % kTile] += box[e * kTiles];
      __syncthreads();
    }
  }
}

// Writes a tile's part of segment `segment` (the matrix rows whose vector number in the tile is
// `segment`), scaled; with kMirror also of the transposed tile. `rows` points at the segment's
// first row; rows are kRank elements apart.
template <int kRank, int kTile, int kVector, int kSegmentRows, bool kMirror, typename Output>
__device__ __forceinline__ void write_segment(Output* rows, const float (&tile)[kTile][kTile],
                                              TilePlace place, int segment, float scale) {
  constexpr bool kWhole = kRank % kVector == 0;  // a vector is inside the matrix or outside it
  const bool mirror = kMirror && place.row != place.column;
#pragma unroll
  for (int v = 0; v < kVector; ++v) {
#pragma unroll
    for (int other = 0; other < kTile / kVector; ++other) {
      float direct[kVector], mirrored[kVector];
#pragma unroll
      for (int w = 0; w < kVector; ++w) {
        direct[w] = scale * tile[segment * kVector + v][other * kVector + w];
        mirrored[w] = scale * tile[other * kVector + w][segment * kVector + v];
      }
      auto put = [&](int row_set, int column_set, const float(&values)[kVector]) {
        const int row = row_set * kVector + v;
        const int column = other * kSegmentRows + column_set * kVector;
        if (segment * kSegmentRows + row >= kRank) return;
        if constexpr (kWhole) {
          if (column < kRank) store_vector(rows + row * kRank + column, values);
        } else {
#pragma unroll
          for (int w = 0; w < kVector; ++w) {
            const float one[1] = {values[w]};
            if (column + w < kRank) store_vector(rows + row * kRank + column + w, one);
          }
        }
      };
      put(place.row, place.column, direct);
      if (mirror) put(place.column, place.row, mirrored);
    }
  }
}

// Copies kCount consecutive elements from shared to global memory, whole block, widest vectors that
// both the length and the alignment (a multiple of kAligned elements from an allocation's start)
// allow.
template <int kThreads, int kAligned, typename Output>
__device__ __forceinline__ void copy_out(Output* target, const Output* source, int count) {
  constexpr int kSize = sizeof(Output);
  constexpr int kAlignedBytes = kAligned * kSize;
  constexpr int kBytes = kAlignedBytes % 16 == 0  ? 16
                         : kAlignedBytes % 8 == 0 ? 8
                         : kAlignedBytes % 4 == 0 ? 4
                                                  : 2;
  using Vector = typename RawVector<kBytes>::Type;
  const int vectors = count * kSize / kBytes;
#pragma unroll 4
  for (int i = threadIdx.x; i < vectors; i += kThreads)
    store_streaming(reinterpret_cast<Vector*>(target) + i,
                    reinterpret_cast<const Vector*>(source)[i]);
}

}  // namespace alsbench
