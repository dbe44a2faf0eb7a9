// SPDX-License-Identifier: Apache-2.0
// The 8 x 8 sums of a thread in a tile of 64 x 64: its rows and columns are two times four
// neighbours, so a warp's reads of shared memory meet no bank twice.
#pragma once

#include "kernels/cuda/basis/layout.cuh"

namespace alsbench {

// kDepth rows of kTile floats.
using TilePanel = float4[BasisLayout::kDepth][BasisLayout::kTile / 4];

struct TileSums {
  float sums[8][8] = {};

  // Of the tile: number `i` of the thread's 8 rows (or columns); vectors of four are neighbours.
  static __device__ __forceinline__ int row(int i) { return place(threadIdx.x / 8, i); }
  static __device__ __forceinline__ int column(int i) { return place(threadIdx.x % 8, i); }

  // sums += left^T right.
  __device__ __forceinline__ void add(const TilePanel& left, const TilePanel& right) {
#pragma unroll 4
    for (int k = 0; k < BasisLayout::kDepth; ++k) {
      float a[8], b[8];
      read(a, left[k], threadIdx.x / 8);
      read(b, right[k], threadIdx.x % 8);
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
    }
  }
  // Columns 4 half to 4 half + 3 of the thread's i-th row.
  __device__ __forceinline__ float4 four(int i, int half) const {
    const float* from = sums[i] + 4 * half;
    return make_float4(from[0], from[1], from[2], from[3]);
  }

 private:
  static __device__ __forceinline__ int place(int thread, int i) {
    return i / 4 * (BasisLayout::kTile / 2) + 4 * thread + i % 4;
  }
  static __device__ __forceinline__ void read(float (&values)[8],
                                              const float4 (&row)[BasisLayout::kTile / 4],
                                              int thread) {
    const float4 first = row[thread], second = row[BasisLayout::kTile / 8 + thread];
    values[0] = first.x, values[1] = first.y, values[2] = first.z, values[3] = first.w;
    values[4] = second.x, values[5] = second.y, values[6] = second.z, values[7] = second.w;
  }
};

// Elements 4 vector to 4 vector + 3 of a factor row; zeros past the padding and past `end`.
__device__ __forceinline__ float4 factor_vector(const FactorsView& factors, int64_t row,
                                                int64_t end, int vector) {
  if (row >= end || 4 * vector >= factors.pitch) return make_float4(0, 0, 0, 0);
  const auto* data = static_cast<const float*>(factors.data) + row * factors.pitch;
  return reinterpret_cast<const float4*>(data)[vector];
}

}  // namespace alsbench
