// SPDX-License-Identifier: Apache-2.0
// Batched Cholesky in shared memory: a warp factors a system by panels of 8 columns, from the left.
// Lanes own rows of a panel. They take off the products with all panels before it, factor its
// diagonal block, each for itself, and solve their rows by it. b is the last row of the system,
// which becomes L^-1 b. The loops have one body for all ranks and panels, so the code is small.
// Grid: rows of the batch over PackedLayout::warps(). FP16 holds A_u / n_u, and b is scaled alike.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/solve/packed_layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

template <int kRank, typename Element>
class PackedCholesky {
 public:
  static constexpr int kPanels = PackedLayout{kRank}.panels();

  // `l`: PackedLayout::system_bytes() of shared memory.
  __device__ __forceinline__ PackedCholesky(float4* l, const Element* matrix, const float* bias,
                                            float scale, int lane)
      : l_(l), matrix_(matrix), bias_(bias), scale_(scale), lane_(lane) {}

  __device__ __forceinline__ void factor() {
    int panel = 0;
    factor_panels<kMaxLaneRows>(panel);
    factor_panel<1, true>(panel);
  }

  // x = L^-T (L^-1 b), from the last panel to the first. x takes the place of panels that are done.
  __device__ __forceinline__ void substitute(float* solution) const {
    float* const x = reinterpret_cast<float*>(l_ + begin_of(kPanels)) - 8 * kPanels;
#pragma unroll 1
    for (int panel = kPanels - 1; panel >= 0; --panel) {
      const int rows = rows_of(panel), first = 8 * panel, column = lane_ % 8;
      const float4* const own = l_ + begin_of(panel);
      const auto element = [&](int i, int j) {
        return reinterpret_cast<const float*>(own + (j / 4 * rows + i))[j % 4];
      };
      const float taken = column_sum(own, x + first, rows);
      const bool inside = first + column < kRank;
      float left = inside ? element(rows - 1, column) - taken : 0.0f;
      const float inverse = inside ? element(column, column) : 0.0f;
      float below[8];  // the diagonal block's column
#pragma unroll
      for (int k = 1; k < 8; ++k)
        below[k] = column < k && first + k < kRank ? element(k, column) : 0.0f;
      __syncwarp();
      float mine = 0;
#pragma unroll
      for (int k = 7; k >= 0; --k) {
        const float value = __shfl_sync(kAll, left * inverse, k);
        if (column == k) mine = value;
        if (k > 0) left = fmaf(-below[k], value, left);
      }
      if (lane_ < 8 && inside) solution[first + lane_] = x[first + lane_] = mine;
      __syncwarp();
    }
  }

  // After factor(), the first pivot that is not positive, from 1; 0: none. In lane 0.
  __device__ __forceinline__ int bad_pivot() const {
    int bad = kNone;
    for (int j = lane_; j < kRank; j += 32) {
      const int panel = j / 8, at = j % 8;
      const float4* const row = l_ + begin_of(panel) + (at / 4 * rows_of(panel) + at);
      const float inverse = reinterpret_cast<const float*>(row)[at % 4];
      if (!(inverse > 0 && inverse < 1e30f) && j + 1 < bad) bad = j + 1;
    }
#pragma unroll
    for (int mask = 16; mask > 0; mask /= 2) {
      const int other = __shfl_xor_sync(kAll, bad, mask);
      bad = other < bad ? other : bad;
    }
    return bad == kNone ? 0 : bad;
  }

 private:
  static __device__ __forceinline__ constexpr int rows_of(int panel) {
    return PackedLayout{kRank}.rows_of(panel);
  }
  static __device__ __forceinline__ constexpr int begin_of(int panel) {
    return PackedLayout{kRank}.begin_of(panel);
  }
  static constexpr unsigned kAll = 0xffffffffu;
  static constexpr int kNone = 0x7fffffff;
  static constexpr int kMaxLaneRows =
      kRank / 32 + 1 < PackedLayout::kMaxLaneRows ? kRank / 32 + 1 : PackedLayout::kMaxLaneRows;
  static constexpr int kLastColumns = kRank - 8 * (kPanels - 1);

  // A diagonal block's L, and the inverse of its diagonal.
  struct Diagonal {
    float l[8][8], inverse[8];
  };

  // All panels but the last. A lane has kLaneRows rows of a panel, and fewer of the later ones.
  template <int kLaneRows>
  __device__ __forceinline__ void factor_panels(int& panel) {
#pragma unroll 1
    for (; panel + 1 < kPanels && rows_of(panel) > 32 * (kLaneRows - 1); ++panel)
      factor_panel<kLaneRows, false>(panel);
    if constexpr (kLaneRows > 1) factor_panels<kLaneRows - 1>(panel);
  }

  template <int kLaneRows, bool kLast>
  __device__ __forceinline__ void factor_panel(int panel) {
    constexpr int kColumns = kLast ? kLastColumns : 8;
    constexpr bool kAllAtOnce = kRank < 32 * PackedLayout::kMaxLaneRows;
    const int rows = rows_of(panel);
    float sums[kLaneRows][8];
    subtract_products<kLaneRows, kColumns>(sums, panel, 0);
    float4* const out = l_ + begin_of(panel);
    if (lane_ < kColumns) store_row(out, rows, lane_, sums[0]);
    __syncwarp();
    Diagonal diagonal;
    factor_diagonal<kColumns>(diagonal, out, rows);
    solve_rows<kLaneRows, kColumns>(sums, diagonal);
    __syncwarp();
#pragma unroll
    for (int c = 0; c < kColumns; ++c)  // the inverse in place of the diagonal
      if (lane_ == c) sums[0][c] = diagonal.inverse[c];
    store_rows(out, rows, 0, sums);
    if constexpr (!kAllAtOnce && !kLast && kLaneRows == kMaxLaneRows)
#pragma unroll 1
      for (int first = 32 * kLaneRows; first < rows; first += 32 * kLaneRows) {
        subtract_products<kLaneRows, kColumns>(sums, panel, first);
        solve_rows<kLaneRows, kColumns>(sums, diagonal);
        store_rows(out, rows, first, sums);
      }
    __syncwarp();
  }

  // Rows of A's panel less their products with all panels before it: rows `first` + lane + 32 r.
  // Behind the last row there is the last once more, which is not stored.
  template <int kLaneRows, int kColumns>
  __device__ __forceinline__ void subtract_products(float (&sums)[kLaneRows][8], int panel,
                                                    int first) const {
    int at[kLaneRows];
    float loaded[kLaneRows][8];  // in flight during the products
    const int rows = rows_of(panel);
#pragma unroll
    for (int r = 0; r < kLaneRows; ++r) {
      const int wanted = first + lane_ + 32 * r;
      at[r] = wanted < rows ? wanted : rows - 1;
      load_row<kColumns>(loaded[r], 8 * panel + at[r], 8 * panel);
#pragma unroll
      for (int c = 0; c < 8; ++c) sums[r][c] = 0;
    }
    const float4* from = l_ + 8 * panel;
    int count = kRank + 1;  // rows of the panel before
#pragma unroll 1
    for (int before = 0; before < panel; ++before) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        float4 own[kLaneRows];
#pragma unroll
        for (int r = 0; r < kLaneRows; ++r) own[r] = from[half * count + at[r]];
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
          const float4 other = from[half * count + c];
#pragma unroll
          for (int r = 0; r < kLaneRows; ++r) {
            sums[r][c] = fmaf(own[r].x, other.x, sums[r][c]);
            sums[r][c] = fmaf(own[r].y, other.y, sums[r][c]);
            sums[r][c] = fmaf(own[r].z, other.z, sums[r][c]);
            sums[r][c] = fmaf(own[r].w, other.w, sums[r][c]);
          }
        }
      }
      from += 2 * count - 8;
      count -= 8;
    }
#pragma unroll
    for (int r = 0; r < kLaneRows; ++r)
#pragma unroll
      for (int c = 0; c < 8; ++c) sums[r][c] = loaded[r][c] - sums[r][c];
  }

  template <int kColumns>
  __device__ __forceinline__ void load_row(float (&row)[8], int i, int column) const {
    constexpr int kVector = kRank % 4 == 0 ? 4 : kRank % 2 == 0 ? 2 : 1;
#pragma unroll
    for (int c = 0; c < 8; ++c) row[c] = 0;
    if (i < kRank) {
#pragma unroll
      for (int c = 0; c < kColumns; c += kVector) {
        float vector[kVector];
        load_vector<true, kVector>(vector, matrix_ + (i * kRank + column + c));
#pragma unroll
        for (int k = 0; k < kVector; ++k) row[c + k] = vector[k];
      }
    } else {
#pragma unroll
      for (int c = 0; c < kColumns; ++c) row[c] = scale_ * bias_[column + c];
    }
  }

  static __device__ __forceinline__ void store_row(float4* out, int rows, int i,
                                                   const float (&row)[8]) {
    out[i] = make_float4(row[0], row[1], row[2], row[3]);
    out[rows + i] = make_float4(row[4], row[5], row[6], row[7]);
  }
  template <int kLaneRows>
  __device__ __forceinline__ void store_rows(float4* out, int rows, int first,
                                             const float (&values)[kLaneRows][8]) const {
#pragma unroll
    for (int r = 0; r < kLaneRows; ++r)
      if (const int i = first + lane_ + 32 * r; i < rows) store_row(out, rows, i, values[r]);
  }

  // In every lane, of the rows that lie in `out`.
  template <int kColumns>
  static __device__ __forceinline__ void factor_diagonal(Diagonal& d, const float4* out, int rows) {
#pragma unroll
    for (int i = 0; i < kColumns; ++i)
#pragma unroll
      for (int half = 0; half < 2; ++half)
        if (4 * half <= i) {
          const float4 four = out[half * rows + i];
          d.l[i][4 * half] = four.x, d.l[i][4 * half + 1] = four.y;
          d.l[i][4 * half + 2] = four.z, d.l[i][4 * half + 3] = four.w;
        }
#pragma unroll
    for (int c = 0; c < kColumns; ++c) {
      d.inverse[c] = rsqrtf(d.l[c][c]);
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
        if (i > c) d.l[i][c] *= d.inverse[c];
#pragma unroll
      for (int i = 0; i < kColumns; ++i)
#pragma unroll
        for (int k = 0; k < kColumns; ++k)
          if (k > c && i >= k) d.l[i][k] = fmaf(-d.l[i][c], d.l[k][c], d.l[i][k]);
    }
  }

  // row = row L^-T of the diagonal block
  template <int kLaneRows, int kColumns>
  static __device__ __forceinline__ void solve_rows(float (&values)[kLaneRows][8],
                                                    const Diagonal& d) {
#pragma unroll
    for (int c = 0; c < kColumns; ++c)
#pragma unroll
      for (int r = 0; r < kLaneRows; ++r) {
#pragma unroll
        for (int k = 0; k < kColumns; ++k)
          if (k < c) values[r][c] = fmaf(-values[r][k], d.l[c][k], values[r][c]);
        values[r][c] *= d.inverse[c];
      }
  }

  // Sum of L_ij x_i over the rows under the diagonal block. Column lane % 8 of each lane. `x` is
  // that of the panel's first row.
  __device__ __forceinline__ float column_sum(const float4* own, const float* x, int rows) const {
    float sums[8] = {};
    for (int i = 8 + lane_; i < rows - 1; i += 32) {
      const float4 left = own[i], right = own[rows + i];
      sums[0] = fmaf(left.x, x[i], sums[0]), sums[1] = fmaf(left.y, x[i], sums[1]);
      sums[2] = fmaf(left.z, x[i], sums[2]), sums[3] = fmaf(left.w, x[i], sums[3]);
      sums[4] = fmaf(right.x, x[i], sums[4]), sums[5] = fmaf(right.y, x[i], sums[5]);
      sums[6] = fmaf(right.z, x[i], sums[6]), sums[7] = fmaf(right.w, x[i], sums[7]);
    }
#pragma unroll
    for (int bit = 4; bit > 0; bit /= 2) {  // a lane keeps the columns with its own bit
      const bool set = (lane_ & bit) != 0;
#pragma unroll
      for (int c = 0; c < 4; ++c)
        if (c < bit) {
          const float given = set ? sums[c] : sums[c + bit];
          sums[c] = (set ? sums[c + bit] : sums[c]) + __shfl_xor_sync(kAll, given, bit);
        }
    }
    float sum = sums[0];
    sum += __shfl_xor_sync(kAll, sum, 8);
    return sum + __shfl_xor_sync(kAll, sum, 16);
  }

  float4* l_;
  const Element* matrix_;
  const float* bias_;
  float scale_;
  int lane_;
};

template <int kRank, typename Element>
__global__ void __launch_bounds__(32 * PackedLayout{kRank}.warps())
    packed_cholesky_solve(UpdateParams p) {
  constexpr PackedLayout kLayout{kRank};
  extern __shared__ float4 shared_memory[];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const int64_t batch_row = int64_t{blockIdx.x} * kLayout.warps() + warp;
  if (batch_row >= p.row_count) return;
  const int64_t u = p.first_row + batch_row;
  const int64_t count = p.ratings.offsets[u + 1] - p.ratings.offsets[u];
  const float scale = sizeof(Element) == 2 && count > 0 ? 1.0f / static_cast<float>(count) : 1.0f;
  PackedCholesky<kRank, Element> system(
      shared_memory + warp * (kLayout.system_bytes() / 16),
      static_cast<const Element*>(p.matrices) + batch_row * (kRank * kRank),
      p.bias + batch_row * p.solution.pitch, scale, lane);
  system.factor();
  const int bad = system.bad_pivot();
  if (lane == 0 && p.status != nullptr) p.status[batch_row] = bad;
  system.substitute(static_cast<float*>(p.solution.data) + u * p.solution.pitch);
}

}  // namespace alsbench
