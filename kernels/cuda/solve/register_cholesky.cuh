// SPDX-License-Identifier: Apache-2.0
// Batched Cholesky in registers: a warp holds the lower triangle of a system and factors it by
// panels of 4 columns. Lanes exchange the panel's columns; then it passes through shared memory, 16
// bytes a row, for the update of the rest. b is the triangle's last row, which the factorisation
// turns into L^-1 b. All loops are unrolled. Grid: rows of the batch over RegisterLayout::kWarps.
// FP16 holds A_u / n_u, and b is scaled alike.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/solve/register_layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// Loops have constant bounds and a condition inside: others are not unrolled in time for their
// elements to become registers.
template <int kRank>
class RegisterCholesky {
 public:
  static constexpr int kPanels = RegisterLayout{kRank}.panels();
  static constexpr int kRowBlocks = RegisterLayout{kRank}.row_blocks();
  static constexpr int kPadded = RegisterLayout{kRank}.padded();
  static constexpr int kHeld = 4;  // panels whose columns a lane holds at a time

  struct Shared {
    float4 panel[8 * kRowBlocks];  // a row each
    float inverse[kPadded];        // 1 / the diagonal
  };

  __device__ __forceinline__ RegisterCholesky(Shared& shared, int lane)
      : shared_(shared), lane_(lane), row_(lane / 4), column_(lane % 4) {}

  template <typename Element>
  __device__ __forceinline__ void fetch(const Element* matrix, const float* bias, float scale) {
    const Element* own = matrix + row_ * kRank + column_;
#pragma unroll
    for (int ii = 0; ii < kRowBlocks; ++ii)
#pragma unroll
      for (int jj = 0; jj < kPanels; ++jj)
        if (jj < panels_of(ii)) {
          const int i = 8 * ii + row_, j = 4 * jj + column_;
          float value[1] = {i == j ? 1.0f : 0.0f};
          if (i < kRank && j <= i) load_vector<true, 1>(value, own + (8 * ii * kRank + 4 * jj));
          if (8 * ii + 7 >= kPadded && i == kPadded && j < kRank) value[0] = scale * bias[j];
          a_[ii][jj] = value[0];
        }
  }

  __device__ __forceinline__ void factor() {
#pragma unroll
    for (int p = 0; p < kPanels; ++p) {
      factor_panel(p);
      if (p + 1 < kPanels) update_rest(p);
    }
  }

  // x = L^-T (L^-1 b)
  __device__ __forceinline__ void substitute(float* solution) const {
    __syncwarp();
    float sums[kPanels];  // over this lane's rows
#pragma unroll
    for (int p = 0; p < kPanels; ++p) sums[p] = 0;
#pragma unroll
    for (int p = kPanels - 1; p >= 0; --p) {
      const int ii = p / 2, first = 4 * p % 8;  // the panel's rows in their block
      float taken = sums[p];
#pragma unroll
      for (int mask = 4; mask < 32; mask *= 2) taken += __shfl_xor_sync(kAll, taken, mask);
      float left = __shfl_sync(kAll, a_[kPadded / 8][p], kPadded % 8 * 4 + column_) - taken;
      const float inverse = shared_.inverse[4 * p + column_];
      float own = 0, here = 0;  // x of this lane's column, and of its row
#pragma unroll
      for (int k = 3; k >= 0; --k) {
        const float x = __shfl_sync(kAll, left * inverse, k);
        if (column_ == k) own = x;
        if (row_ == first + k) here = x;
        if (k == 0) continue;
        const float l = __shfl_sync(kAll, a_[ii][p], (first + k) * 4 + column_);
        if (column_ < k) left = fmaf(-l, x, left);
      }
      if (row_ == 0 && 4 * p + column_ < kRank) solution[4 * p + column_] = own;
#pragma unroll
      for (int jj = 0; jj < kPanels; ++jj)
        if (jj < p) sums[jj] = fmaf(a_[ii][jj], here, sums[jj]);
    }
  }

  // The first pivot that is not positive, from 1; 0: none. In lane 0.
  __device__ __forceinline__ int bad_pivot() const {
    int bad = 0x7fffffff;
    for (int j = lane_; j < kRank; j += 32) {
      const float inverse = shared_.inverse[j];
      if (!(inverse > 0 && inverse < 1e30f) && j + 1 < bad) bad = j + 1;
    }
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2) {
      const int other = __shfl_xor_sync(kAll, bad, mask);
      bad = other < bad ? other : bad;
    }
    return bad == 0x7fffffff ? 0 : bad;
  }

 private:
  static constexpr unsigned kAll = 0xffffffffu;
  static __device__ __forceinline__ constexpr int panels_of(int row_block) {
    return RegisterLayout{kRank}.panels_of(row_block);
  }

  // Column k of the panel is divided by its pivot's root, and those behind it lose its product: a
  // multiplication and an addition for all lanes alike.
  __device__ __forceinline__ void factor_panel(int p) {
    const int begin = p / 2, first = 4 * p % 8;  // the panel's rows in their block
    float own = 0;                               // 1 / the diagonal of this lane's column
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const float pivot = __shfl_sync(kAll, a_[begin][p], (first + k) * 4 + k);
      const float l = __shfl_sync(kAll, a_[begin][p], (first + column_) * 4 + k);
      const float inverse = rsqrtf(pivot);
      const float factor = column_ == k ? inverse : 1.0f;
      const float taken = column_ > k ? -l * inverse * inverse : 0.0f;
      if (column_ == k) own = inverse;
#pragma unroll
      for (int ii = 0; ii < kRowBlocks; ++ii)
        if (ii >= begin) {
          const float of_column = __shfl_sync(kAll, a_[ii][p], (lane_ & ~3) | k);
          a_[ii][p] = fmaf(of_column, taken, a_[ii][p] * factor);
        }
    }
    if (row_ == 0) shared_.inverse[4 * p + column_] = own;
  }

  // The columns behind the panel lose the panel's product.
  __device__ __forceinline__ void update_rest(int p) {
    __syncwarp();
#pragma unroll
    for (int ii = 0; ii < kRowBlocks; ++ii)
      if (ii >= p / 2) reinterpret_cast<float*>(&shared_.panel[8 * ii + row_])[column_] = a_[ii][p];
    __syncwarp();
#pragma unroll
    for (int begin = 0; begin < kPanels; begin += kHeld)
      if (begin + kHeld > p + 1) update_columns(p, begin);
  }
  __device__ __forceinline__ void update_columns(int p, int begin) {
    float4 held[kHeld];
#pragma unroll
    for (int q = 0; q < kHeld; ++q)
      if (begin + q > p && begin + q < kPanels) held[q] = shared_.panel[4 * (begin + q) + column_];
#pragma unroll
    for (int ii = 0; ii < kRowBlocks; ++ii)
      if (ii >= (p + 1) / 2 && panels_of(ii) > begin) {
        const float4 row = shared_.panel[8 * ii + row_];
#pragma unroll
        for (int q = 0; q < kHeld; ++q)
          if (begin + q > p && begin + q < panels_of(ii)) {
            float& element = a_[ii][begin + q];
            element = fmaf(-row.x, held[q].x, element);
            element = fmaf(-row.y, held[q].y, element);
            element = fmaf(-row.z, held[q].z, element);
            element = fmaf(-row.w, held[q].w, element);
          }
      }
  }

  Shared& shared_;
  int lane_, row_, column_;
  float a_[kRowBlocks][kPanels];  // those above the diagonal are never used
};

template <int kRank, typename Element>
__global__ void __launch_bounds__(32 * RegisterLayout::kWarps, RegisterLayout{kRank}.blocks())
    register_cholesky_solve(UpdateParams p) {
  using System = RegisterCholesky<kRank>;
  __shared__ typename System::Shared shared[RegisterLayout::kWarps];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int64_t batch_row = int64_t{blockIdx.x} * RegisterLayout::kWarps + warp;
  if (batch_row >= p.row_count) return;
  const int64_t u = p.first_row + batch_row;
  const int64_t count = p.ratings.offsets[u + 1] - p.ratings.offsets[u];
  const float scale = sizeof(Element) == 2 && count > 0 ? 1.0f / static_cast<float>(count) : 1.0f;
  System system(shared[warp], lane);
  system.fetch(static_cast<const Element*>(p.matrices) + batch_row * (kRank * kRank),
               p.bias + batch_row * p.solution.pitch, scale);
  system.factor();
  system.substitute(static_cast<float*>(p.solution.data) + u * p.solution.pitch);
  const int bad = system.bad_pivot();
  if (lane == 0 && p.status != nullptr) p.status[batch_row] = bad;
}

}  // namespace alsbench
