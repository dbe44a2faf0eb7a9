// SPDX-License-Identifier: Apache-2.0
// A half-iteration that never forms A_u: conjugate gradients whose products gather the factors of
// the row's ratings again, A_u v = sum theta (theta . v) + lambda n_u v. Against the variants that
// form A_u it saves the outer products and costs steps + 1 gathers: which is less depends on the
// row's length and the rank. Block: one row; grid: rows of the batch. kLanes threads share a
// rating.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/device/reduce.cuh"
#include "kernels/cuda/solve/jacobi.cuh"
#include "kernels/cuda/update/solution.cuh"

namespace alsbench {

template <int kRank, int kThreads, int kLanes, typename Element>
struct MatrixFreeLayout {
  static constexpr int kPitch = (kRank + 7) / 8 * 8;  // of factor rows and of vectors
  static constexpr int kVector = 16 / static_cast<int>(sizeof(Element));
  static constexpr int kVectors = kPitch / kVector;
  static constexpr int kHeld = (kVectors + kLanes - 1) / kLanes;  // vectors of a thread
  static constexpr int kGroups = kThreads / kLanes;               // ratings at a time
  static constexpr int kWarps = kThreads / 32;
  static constexpr int kOwned = (kRank + kThreads - 1) / kThreads;  // elements of a thread in CG
  // Ratings of a group in flight: 8 vectors hide the gather, more would cost occupancy.
  static constexpr int kFlight = kHeld >= 8 ? 1 : kHeld >= 4 ? 2 : kHeld >= 2 ? 4 : 8;
};

// State of a row in the threads of a block.
struct MatrixFreeRow {
  const int32_t* indices;
  const float* ratings;
  int64_t count;
  float diagonal;  // lambda n_u
};

template <int kRank, int kThreads, int kLanes, bool kL1, typename Element>
struct GatheredProduct {
  using Layout = MatrixFreeLayout<kRank, kThreads, kLanes, Element>;
  static constexpr int kHeld = Layout::kHeld, kVector = Layout::kVector;
  static constexpr int kWords = kWordsOf<Element, kVector>;
  static constexpr int kFlight = Layout::kFlight;
  using Part = float[kHeld][kVector];
  using Partials = float[Layout::kWarps][Layout::kPitch];

  const FactorsView& factors;
  const MatrixFreeRow& row;

  static __device__ __forceinline__ int vector_at(int i) {
    return threadIdx.x % kLanes + i * kLanes;
  }
  static __device__ __forceinline__ bool has(int i) {
    return Layout::kVectors % kLanes == 0 || vector_at(i) < Layout::kVectors;
  }

  // The group's next kFlight ratings from `first` on; zeros past the end of the row.
  __device__ __forceinline__ void fetch(int64_t first, uint32_t (&words)[kFlight][kHeld][kWords],
                                        float (&ratings)[kFlight]) const {
#pragma unroll
    for (int u = 0; u < kFlight; ++u) {
      const int64_t at = first + u * Layout::kGroups;
      const bool valid = at < row.count;
      const int32_t index = valid ? load_index(row.indices + at) : 0;
      ratings[u] = valid ? row.ratings[at] : 0.0f;
      const auto* theta =
          static_cast<const Element*>(factors.data) + int64_t{index} * Layout::kPitch;
#pragma unroll
      for (int i = 0; i < kHeld; ++i) {
#pragma unroll
        for (int w = 0; w < kWords; ++w) words[u][i][w] = 0;
        if (valid && has(i)) load_raw<kL1, kVector>(words[u][i], theta + vector_at(i) * kVector);
      }
    }
  }

  // Calls add(theta, theta . v, rating) for every rating of the group; theta as this thread's part.
  template <bool kDot, typename Add>
  __device__ __forceinline__ void for_each_rating(const float* v, Add&& add) const {
    Part own = {};
    if constexpr (kDot)
#pragma unroll
      for (int i = 0; i < kHeld; ++i)
        if (has(i))
#pragma unroll
          for (int e = 0; e < kVector; ++e) own[i][e] = v[vector_at(i) * kVector + e];
    const int64_t group = threadIdx.x / kLanes;
    // Every thread makes as many turns as the others: they exchange sums.
    for (int64_t base = 0; base < row.count; base += Layout::kGroups * kFlight) {
      uint32_t words[kFlight][kHeld][kWords];
      float ratings[kFlight];
      fetch(base + group, words, ratings);
#pragma unroll
      for (int u = 0; u < kFlight; ++u) {
        Part theta;
        float dot = 0;
#pragma unroll
        for (int i = 0; i < kHeld; ++i) {
          expand<Element>(theta[i], words[u][i]);
          if constexpr (kDot)
#pragma unroll
            for (int e = 0; e < kVector; ++e) dot = fmaf(theta[i][e], own[i][e], dot);
        }
        if constexpr (kDot)
#pragma unroll
          for (int step = kLanes / 2; step > 0; step /= 2)
            dot += __shfl_xor_sync(0xffffffffu, dot, step);
        add(theta, dot, ratings[u]);
      }
    }
  }

  // The groups' sums of a warp meet in its partials; the caller has a barrier before and after.
  static __device__ __forceinline__ void keep(Part& sum, Partials& partials) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
#pragma unroll
      for (int e = 0; e < kVector; ++e) {
#pragma unroll
        for (int step = kLanes; step < 32; step *= 2)
          sum[i][e] += __shfl_xor_sync(0xffffffffu, sum[i][e], step);
        if (threadIdx.x % 32 < kLanes && has(i))
          partials[threadIdx.x / 32][vector_at(i) * kVector + e] = sum[i][e];
      }
  }

  // sum += weight theta.
  static __device__ __forceinline__ void add_weighted(Part& sum, const Part& theta, float weight) {
#pragma unroll
    for (int i = 0; i < kHeld; ++i)
#pragma unroll
      for (int e = 0; e < kVector; ++e) sum[i][e] = fmaf(weight, theta[i][e], sum[i][e]);
  }

  // partials of sum theta (theta . v).
  __device__ __forceinline__ void multiply(const float* v, Partials& partials) const {
    Part sum = {};
    for_each_rating<true>(
        v, [&](const Part& theta, float dot, float) { add_weighted(sum, theta, dot); });
    keep(sum, partials);
  }
  // partials of the diagonal of sum theta theta^T.
  __device__ __forceinline__ void diagonal(Partials& partials) const {
    Part sum = {};
    for_each_rating<false>(nullptr, [&](const Part& theta, float, float) {
#pragma unroll
      for (int i = 0; i < kHeld; ++i)
#pragma unroll
        for (int e = 0; e < kVector; ++e) sum[i][e] = fmaf(theta[i][e], theta[i][e], sum[i][e]);
    });
    keep(sum, partials);
  }
  // partials of b - sum theta (theta . x); without x, of b.
  template <bool kFromX>
  __device__ __forceinline__ void residual(const float* x, Partials& partials) const {
    Part sum = {};
    for_each_rating<kFromX>(x, [&](const Part& theta, float dot, float rating) {
      add_weighted(sum, theta, rating - dot);
    });
    keep(sum, partials);
  }
};

// The vector elements of a thread in CG: visit(i, e) gets each element e, its i-th.
template <int kRank, int kThreads>
struct CgElements {
  template <typename Visit>
  static __device__ __forceinline__ void for_each(Visit&& visit) {
#pragma unroll
    for (int i = 0; i < (kRank + kThreads - 1) / kThreads; ++i)
      if (const int e = threadIdx.x + i * kThreads; e < kRank) visit(i, e);
  }
};

template <int kRank, int kThreads, int kLanes, bool kTolerance, bool kL1, bool kWarm,
          typename Element, bool kJacobi = false>
__global__ void __launch_bounds__(kThreads) matrix_free_update(UpdateParams p) {
  using Product = GatheredProduct<kRank, kThreads, kLanes, kL1, Element>;
  using Layout = typename Product::Layout;
  using Owned = CgElements<kRank, kThreads>;
  __shared__ float direction[Layout::kPitch];
  __shared__ float partials[Layout::kWarps][Layout::kPitch];
  __shared__ float sums[2][Layout::kWarps];  // in turns: a barrier lies between two uses of one
  const int64_t at = blockIdx.x;
  if (at >= p.row_count) return;
  const int64_t begin = p.ratings.offsets[p.first_row + at];
  const int64_t count = p.ratings.offsets[p.first_row + at + 1] - begin;
  const MatrixFreeRow row{p.ratings.indices + begin, p.ratings.values + begin, count,
                          p.lambda * static_cast<float>(count)};
  const Product product{p.factors, row};
  const float* start = solution_of(p, at);
  const auto total = [&](int e) {
    float sum = partials[0][e];
#pragma unroll
    for (int warp = 1; warp < Layout::kWarps; ++warp) sum += partials[warp][e];
    return sum;
  };
  float x[Layout::kOwned] = {}, r[Layout::kOwned] = {}, ap[Layout::kOwned] = {};
  float weights[kJacobi ? Layout::kOwned : 1];  // one over the diagonal
  const auto weighted = [&](float value, int i) { return kJacobi ? weights[i] * value : value; };
  const auto square = [&](float* scratch) {
    float sum = 0;
    Owned::for_each([&](int i, int) { sum = fmaf(r[i], r[i], sum); });
    return block_sum<kThreads>(sum, scratch);
  };
  const auto weighted_square = [&](float* scratch) {
    float sum = 0;
    Owned::for_each([&](int i, int) { sum = fmaf(r[i], weighted(r[i], i), sum); });
    return block_sum<kThreads>(sum, scratch);
  };

  for (int e = threadIdx.x; e < Layout::kPitch; e += kThreads) direction[e] = 0;
  __syncthreads();
  float stop = 0;
  if constexpr (kTolerance) {  // relative to b, which is gathered for that
    product.template residual<false>(direction, partials);
    __syncthreads();
    Owned::for_each([&](int i, int e) { r[i] = total(e); });
    stop = p.plan.cg_tolerance * p.plan.cg_tolerance * square(sums[0]);
    __syncthreads();
  }
  if constexpr (kJacobi) {
    product.diagonal(partials);
    __syncthreads();
    Owned::for_each([&](int i, int e) { weights[i] = jacobi_weight(total(e) + row.diagonal); });
    __syncthreads();
  }
  if constexpr (kWarm) {
    if (count > 0) Owned::for_each([&](int i, int e) { direction[e] = x[i] = start[e]; });
    __syncthreads();
  }
  product.template residual<kWarm>(direction, partials);
  __syncthreads();
  Owned::for_each([&](int i, int e) { r[i] = total(e) - row.diagonal * x[i]; });
  float rr = weighted_square(sums[1]);
  Owned::for_each([&](int i, int e) { direction[e] = weighted(r[i], i); });
  __syncthreads();
  // A tolerance is of the plain norm. Written so that a NaN goes on and shows in x.
  const auto goes_on = [&] { return !((kTolerance && kJacobi ? square(sums[0]) : rr) <= stop); };

  int step = 0;
  for (; step < p.plan.cg_steps && count > 0 && goes_on(); ++step) {
    product.multiply(direction, partials);
    __syncthreads();
    float local = 0;
    Owned::for_each([&](int i, int e) {
      ap[i] = fmaf(row.diagonal, direction[e], total(e));
      local = fmaf(direction[e], ap[i], local);
    });
    const float curvature = block_sum<kThreads>(local, sums[0]);
    if (curvature <= 0) break;
    const float alpha = rr / curvature;
    Owned::for_each([&](int i, int e) {
      x[i] = fmaf(alpha, direction[e], x[i]);
      r[i] = fmaf(-alpha, ap[i], r[i]);
    });
    const float next = weighted_square(sums[1]);
    const float beta = next / rr;
    rr = next;
    Owned::for_each(
        [&](int i, int e) { direction[e] = fmaf(beta, direction[e], weighted(r[i], i)); });
    __syncthreads();
  }
  Owned::for_each([&](int i, int e) { write_solution<Element>(p, at, e, x[i]); });
  if (threadIdx.x != 0) return;
  if (p.steps != nullptr) p.steps[at] = step;
  if (p.status != nullptr) p.status[at] = 0;
}

}  // namespace alsbench
