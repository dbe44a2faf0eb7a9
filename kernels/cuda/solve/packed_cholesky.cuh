// SPDX-License-Identifier: Apache-2.0
// Batched Cholesky in shared memory: A = L L^T by panels of 8 columns, the lower triangle packed
// row by row: 32 neighbouring rows from a multiple of 32 on begin in different banks, since
// triangular numbers are a permutation modulo 2^k. b is the triangle's last row, which the
// factorisation turns into L^-1 b; only the backward substitution remains. Block: one system; grid:
// rows of the batch; dynamic shared memory: PackedLayout. FP16 holds A_u / n_u, and b is scaled
// alike.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/solve/packed_layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

template <int kRank, int kThreads>
struct PackedCholesky {
  static constexpr int kRows = kRank + 1;  // of the triangle, the last being b
  static constexpr int kPanel = PackedLayout::kPanel, kTile = PackedLayout::kTile;

  float* l;         // the triangle, in shared memory
  float* inverse;   // 1 / its diagonal
  int32_t* status;  // in shared memory: the first pivot that is not positive, from 1; 0: none

  // A's lower triangle and b, a warp a row. Ends without a barrier.
  template <typename Element>
  __device__ __forceinline__ void fetch(const Element* matrix, const float* bias, float scale) {
    const int lane = threadIdx.x % 32;
#pragma unroll 2
    for (int i = threadIdx.x / 32; i < kRank; i += kThreads / 32)
      for (int j = lane; j <= i; j += 32) {
        float value[1];
        load_vector<false, 1>(value, matrix + i * kRank + j);
        l[packed_row(i) + j] = value[0];
      }
    for (int j = threadIdx.x; j < kRows; j += kThreads)
      l[packed_row(kRank) + j] = j < kRank ? scale * bias[j] : 0.0f;
  }

  // Factors the diagonal block of `width` columns from `begin` on, by the first warp: lane r holds
  // row begin + r.
  __device__ __forceinline__ void factor_diagonal(int begin, int width) {
    constexpr unsigned kAll = 0xffffffffu;
    const int r = threadIdx.x;
    float row[kPanel];
#pragma unroll
    for (int c = 0; c < kPanel; ++c)
      row[c] = r < width && c <= r ? l[packed_row(begin + r) + begin + c] : 0.0f;
#pragma unroll
    for (int c = 0; c < kPanel; ++c) {
      const float pivot = __shfl_sync(kAll, row[c], c);
      const float scale = c < width ? 1.0f / sqrtf(pivot) : 0.0f;
      if (r == c && c < width) {
        inverse[begin + c] = scale;
        if (!(pivot > 0) && *status == 0) *status = begin + c + 1;
      }
      row[c] *= scale;
#pragma unroll
      for (int later = c + 1; later < kPanel; ++later)
        row[later] -= row[c] * __shfl_sync(kAll, row[c], later);
    }
#pragma unroll
    for (int c = 0; c < kPanel; ++c)
      if (r < width && c <= r) l[packed_row(begin + r) + begin + c] = row[c];
  }

  // The rows under the diagonal block, a thread a row: row = row L^-T.
  __device__ __forceinline__ void solve_panel(int begin, int width) {
    for (int i = begin + width + threadIdx.x; i < kRows; i += kThreads) {
      float* own = l + packed_row(i) + begin;
      float row[kPanel];
#pragma unroll
      for (int c = 0; c < kPanel; ++c) {
        if (c >= width) break;
        const float* diagonal = l + packed_row(begin + c) + begin;
        float sum = own[c];
#pragma unroll
        for (int k = 0; k < c; ++k) sum -= row[k] * diagonal[k];
        row[c] = sum * inverse[begin + c];
        own[c] = row[c];
      }
    }
  }

  // The triangle right of the panel loses the panel's product. A thread takes 4 rows and 4 columns
  // that lie `side` apart: neighbouring threads then have neighbouring columns.
  __device__ __forceinline__ void update_rest(int begin, int width) {
    const int origin = begin + width;
    const int side = (kRows - origin + kTile - 1) / kTile;
    for (int at = threadIdx.x; at < packed_row(side); at += kThreads) {
      int set = static_cast<int>((sqrtf(8.0f * static_cast<float>(at) + 1.0f) - 1.0f) * 0.5f);
      if (packed_row(set) > at) --set;
      if (packed_row(set + 1) <= at) ++set;
      const int other = at - packed_row(set);
      float sums[kTile][kTile] = {};
      add_products(sums, origin + set, origin + other, side, begin, width);
#pragma unroll
      for (int i = 0; i < kTile; ++i)
#pragma unroll
        for (int j = 0; j < kTile; ++j) {
          const int a = origin + set + i * side, b = origin + other + j * side;
          if (a >= kRows || b >= kRows || (set == other && j > i)) continue;
          l[a >= b ? packed_row(a) + b : packed_row(b) + a] -= sums[i][j];
        }
    }
  }
  __device__ __forceinline__ void add_products(float (&sums)[kTile][kTile], int row, int column,
                                               int side, int begin, int width) const {
#pragma unroll
    for (int k = 0; k < kPanel; ++k) {
      if (k >= width) break;
      float a[kTile], b[kTile];
#pragma unroll
      for (int i = 0; i < kTile; ++i) {
        const int low = row + i * side, high = column + i * side;
        a[i] = low < kRows ? l[packed_row(low) + begin + k] : 0.0f;
        b[i] = high < kRows ? l[packed_row(high) + begin + k] : 0.0f;
      }
#pragma unroll
      for (int i = 0; i < kTile; ++i)
#pragma unroll
        for (int j = 0; j < kTile; ++j) sums[i][j] = fmaf(a[i], b[j], sums[i][j]);
    }
  }

  // Ends without a barrier: the last panel has only b under it.
  __device__ __forceinline__ void factor() {
    for (int begin = 0; begin < kRank; begin += kPanel) {
      const int width = kRank - begin < kPanel ? kRank - begin : kPanel;
      __syncthreads();
      if (threadIdx.x < 32) factor_diagonal(begin, width);
      __syncthreads();
      solve_panel(begin, width);
      __syncthreads();
      update_rest(begin, width);
    }
  }

  // x = L^-T (L^-1 b) by the first warp: lane j % 32 holds element j.
  __device__ __forceinline__ void substitute(float* solution) const {
    constexpr int kOwned = (kRank + 31) / 32;
    const int lane = threadIdx.x;
    float x[kOwned];
#pragma unroll
    for (int q = 0; q < kOwned; ++q)
      x[q] = 32 * q + lane < kRank ? l[packed_row(kRank) + 32 * q + lane] : 0.0f;
#pragma unroll
    for (int q = kOwned - 1; q >= 0; --q) {
      const int last = kRank - 32 * q < 32 ? kRank - 32 * q : 32;
#pragma unroll 1
      for (int t = last - 1; t >= 0; --t) {
        const int j = 32 * q + t;
        const float value = __shfl_sync(0xffffffffu, x[q], t) * inverse[j];
        if (lane == t) x[q] = value;
#pragma unroll
        for (int p = 0; p <= q; ++p)
          if (32 * p + lane < j) x[p] -= l[packed_row(j) + 32 * p + lane] * value;
      }
    }
#pragma unroll
    for (int q = 0; q < kOwned; ++q)
      if (32 * q + lane < kRank) solution[32 * q + lane] = x[q];
  }
};

template <int kRank, int kThreads, typename Element>
__global__ void __launch_bounds__(kThreads) packed_cholesky_solve(UpdateParams p) {
  extern __shared__ float4 shared_memory[];
  __shared__ int32_t status;
  const int64_t batch_row = blockIdx.x;
  if (batch_row >= p.row_count) return;
  const int64_t u = p.first_row + batch_row;
  float* solution = static_cast<float*>(p.solution.data) + u * p.solution.pitch;
  const int64_t count = p.ratings.offsets[u + 1] - p.ratings.offsets[u];
  if (count == 0) {
    for (int e = threadIdx.x; e < kRank; e += kThreads) solution[e] = 0;
    if (threadIdx.x == 0 && p.status != nullptr) p.status[batch_row] = 0;
    return;
  }

  float* shared = reinterpret_cast<float*>(shared_memory);
  PackedCholesky<kRank, kThreads> system{shared, shared + PackedLayout{kRank}.triangle(), &status};
  if (threadIdx.x == 0) status = 0;
  const float scale = sizeof(Element) == 2 ? 1.0f / static_cast<float>(count) : 1.0f;
  system.fetch(static_cast<const Element*>(p.matrices) + batch_row * (kRank * kRank),
               p.bias + batch_row * p.solution.pitch, scale);
  system.factor();
  __syncthreads();
  if (threadIdx.x >= 32) return;
  system.substitute(solution);
  if (threadIdx.x == 0 && p.status != nullptr) p.status[batch_row] = status;
}

}  // namespace alsbench
