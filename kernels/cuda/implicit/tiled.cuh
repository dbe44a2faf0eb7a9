// SPDX-License-Identifier: Apache-2.0
// The equations of implicit ALS in FP32: hermitian/tiled with factor rows that are multiplied by
// the roots of their weights on their way into shared memory. b_u is summed with the tiles, and the
// Gram matrix is added to them at last. Block, grid and shared memory as of hermitian/tiled.
#pragma once

#include "kernels/cuda/hermitian/tiled.cuh"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

// Weights of a bin of ratings, in shared memory.
struct BinWeights {
  float* roots;    // of the weights of factor rows: those of A_u
  float* targets;  // what these rows are then multiplied by in b_u
};

template <int kBin, int kThreads>
__device__ __forceinline__ void weigh_bin(const BinWeights& weights, const float* ratings,
                                          int count, float alpha) {
  for (int k = threadIdx.x; k < count; k += kThreads) {
    const float added = added_confidence(ratings[k], alpha), root = sqrtf(added);
    weights.roots[k] = root;
    weights.targets[k] = root > 0 ? (1 + added) / root : 0.0f;
  }
}

// A warp reads one factor row after another.
template <int kRank, int kThreads, int kPitch, bool kL1>
__device__ __forceinline__ void gather_weighted(float* rows, const int32_t* cells, int count,
                                                const FactorsView& factors, const float* roots) {
  constexpr int kVectors = (kRank + 3) / 4;
  for (int k = threadIdx.x / 32; k < count; k += kThreads / 32) {
    const float* source = static_cast<const float*>(factors.data) +
                          static_cast<int64_t>(load_index(cells + k)) * factors.pitch;
    for (int vector = threadIdx.x % 32; vector < kVectors; vector += 32) {
      float v[4];
      load_vector<kL1>(v, source + 4 * vector);
#pragma unroll
      for (int i = 0; i < 4; ++i) v[i] *= roots[k];
      *reinterpret_cast<float4*>(rows + k * kPitch + 4 * vector) =
          make_float4(v[0], v[1], v[2], v[3]);
    }
  }
}

// tile += the elements of a symmetric matrix at its place.
template <int kRank, int kTile, int kVector, int kSegmentRows>
__device__ __forceinline__ void add_to_tile(float (&tile)[kTile][kTile], const float* matrix,
                                            TilePlace place) {
  const auto index = [](int set, int i) {
    return i / kVector * kSegmentRows + set * kVector + i % kVector;
  };
#pragma unroll
  for (int i = 0; i < kTile; ++i)
#pragma unroll
    for (int j = 0; j < kTile; ++j) {
      const int row = index(place.row, i), column = index(place.column, j);
      if (row < kRank && column < kRank) tile[i][j] += matrix[row * kRank + column];
    }
}

template <int kRank, int kTile, int kBin, int kThreads, bool kL1>
__global__ void __launch_bounds__(
    kThreads, (TiledLayout{kRank, kTile, kBin, kThreads}.blocks_per_multiprocessor()))
    implicit_tiled(ImplicitParams p) {
  constexpr TiledLayout kLayout{kRank, kTile, kBin, kThreads};
  constexpr int kPitch = kLayout.pitch(), kBiases = (kRank + kThreads - 1) / kThreads;
  extern __shared__ float4 shared_memory[];
  float* rows = reinterpret_cast<float*>(shared_memory);
  float* behind = rows + kLayout.buffer_bytes() / 4;
  const BinWeights weights{behind, behind + kBin};

  const UpdateParams& update = p.update;
  const int64_t batch_row = blockIdx.x / kLayout.passes();
  if (batch_row >= update.row_count) return;
  const int64_t begin = update.ratings.offsets[update.first_row + batch_row];
  const int length =
      static_cast<int>(update.ratings.offsets[update.first_row + batch_row + 1] - begin);
  const int pass = static_cast<int>(blockIdx.x % kLayout.passes());
  const TileShare share = share_of<kRank, kTile, kBin, kThreads, true>(pass);

  float tile[kTile][kTile] = {}, bias[kBiases] = {};
  for (int first = 0; first < length; first += kBin) {
    const int count = length - first < kBin ? length - first : kBin;
    __syncthreads();
    weigh_bin<kBin, kThreads>(weights, update.ratings.values + begin + first, count, p.alpha);
    __syncthreads();
    gather_weighted<kRank, kThreads, kPitch, kL1>(rows, update.ratings.indices + begin + first,
                                                  count, update.factors, weights.roots);
    __syncthreads();
    if (share.group < kLayout.groups())
      accumulate_tile<kTile, kLayout.vector(), kLayout.segment_rows(), kPitch>(
          tile, rows, share.place, share.group, kLayout.groups(), count);
#pragma unroll
    for (int i = 0; i < kBiases; ++i)
      if (const int e = threadIdx.x + i * kThreads; pass == 0 && e < kRank)
        for (int k = 0; k < count; ++k)
          bias[i] = fmaf(weights.targets[k], rows[k * kPitch + e], bias[i]);
  }
  __syncthreads();
  if constexpr (kLayout.groups() > 1)
    sum_groups<kTile, kLayout.tiles_per_pass(), kLayout.groups(), kLayout.reduced_rows()>(
        tile, rows, share.group, share.slot);

  const bool active = share.group == 0 && share.holds_tile;
  if (active && length > 0)
    add_to_tile<kRank, kTile, kLayout.vector(), kLayout.segment_rows()>(tile, p.gram, share.place);
  const float count = p.weighted != 0 ? static_cast<float>(length) : 1.0f;
  write_row<kRank, kTile, kBin, kThreads, true>(
      tile, static_cast<float*>(update.matrices) + batch_row * (kRank * kRank), rows, share.place,
      active, length > 0 ? update.lambda * count : 1.0f, 1.0f);
  if (pass != 0) return;
  float* target = update.bias + batch_row * update.solution.pitch;
#pragma unroll
  for (int i = 0; i < kBiases; ++i)
    if (const int e = threadIdx.x + i * kThreads; e < kRank) target[e] = bias[i];
  for (int e = kRank + threadIdx.x; e < update.solution.pitch; e += kThreads) target[e] = 0;
}

}  // namespace alsbench
