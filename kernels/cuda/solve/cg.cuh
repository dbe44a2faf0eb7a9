// SPDX-License-Identifier: Apache-2.0
// Batched conjugate gradients, the paper's approximate solver (section IV, Algorithm 1, with the
// residual update r -= alpha A p, which its text misprints). Block: one system; grid: rows of the
// batch; dynamic shared memory: A_u where kCache is `shared`. A_u is symmetric, so the threads of a
// group read rows of it and each sums columns. In FP16 it is A_u / n_u, and b is scaled alike.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/device/reduce.cuh"
#include "kernels/cuda/solve/cg_layout.cuh"
#include "kernels/cuda/solve/jacobi.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// A thread's part of A_u, wherever it stays.
template <int kRank, int kThreads, bool kL1, MatrixCache kCache, typename Element>
struct CgMatrix {
  static constexpr CgLayout kLayout{kRank, kThreads, sizeof(Element)};
  static constexpr int kVector = kLayout.vector();
  static constexpr int kVectors = kLayout.vectors();
  static constexpr int kWords = kWordsOf<Element, kVector>;
  static constexpr int kHeld =
      kCache == MatrixCache::registers ? kLayout.rows() * kLayout.columns() : 1;
  static constexpr int kUnroll = kCache == MatrixCache::registers ? kLayout.rows()
                                 : kCache == MatrixCache::shared  ? 8
                                                                  : 2;

  const Element* matrix;
  const Element* shared;
  float held[kHeld][kVector];  // converted once, not in every step

  __device__ __forceinline__ int group() const { return threadIdx.x / kLayout.lanes(); }
  __device__ __forceinline__ int vector_at(int column) const {
    return threadIdx.x % kLayout.lanes() + column * kLayout.lanes();
  }
  __device__ __forceinline__ bool has(int row, int column) const {
    return row < kRank && group() < kLayout.groups() && vector_at(column) < kVectors;
  }
  __device__ __forceinline__ const Element* place(const Element* base, int row, int column) const {
    return base + row * kRank + vector_at(column) * kVector;
  }

  // Ends with a barrier where the matrix is copied to shared memory.
  __device__ __forceinline__ void fetch(void* dynamic_shared) {
    if constexpr (kCache == MatrixCache::shared) {
      Element* target = static_cast<Element*>(dynamic_shared);
      for (int i = threadIdx.x; i < kRank * kVectors; i += kThreads) {
        uint32_t w[kWords];
        load_raw<kL1, kVector>(w, matrix + i * kVector);
        store_raw<kVector>(target + i * kVector, w);
      }
      shared = target;
      __syncthreads();
    } else if constexpr (kCache == MatrixCache::registers) {
#pragma unroll
      for (int i = 0; i < kHeld; ++i) {
        const int row = group() + i / kLayout.columns() * kLayout.groups();
        const int column = i % kLayout.columns();
        if (!has(row, column)) continue;
        uint32_t w[kWords];
        load_raw<kL1, kVector>(w, place(matrix, row, column));
        expand<Element>(held[i], w);
      }
    }
  }

  // An element of A_u's diagonal.
  __device__ __forceinline__ float diagonal(int e) const {
    float value[1];
    load_vector<kL1>(value, matrix + e * (kRank + 1));
    return value[0];
  }

  // Vectors a thread has in flight from global memory.
  static constexpr int kMaxInFlight = kWords == 4 ? 10 : 20;
  static constexpr int kBatches = (kLayout.rows() + kMaxInFlight - 1) / kMaxInFlight;
  static constexpr int kBatch =
      kCache == MatrixCache::none ? (kLayout.rows() + kBatches - 1) / kBatches : 1;

  __device__ __forceinline__ void read(uint32_t (&w)[kWords], int turn, int column) const {
    const int row = group() + turn * kLayout.groups();
    if (!has(row, column)) return;
    if constexpr (kCache == MatrixCache::none)
      load_raw<kL1, kVector>(w, place(matrix, row, column));
    else if constexpr (kCache == MatrixCache::shared)
      read_raw<kVector>(w, place(shared, row, column));
  }

  // partials (groups x rank) of A v for `v` in shared memory; the caller has a barrier before and
  // after.
  __device__ __forceinline__ void multiply(const float* v, float* partials) const {
#pragma unroll
    for (int column = 0; column < kLayout.columns(); ++column) {
      float sum[kVector] = {};
#pragma unroll kUnroll
      for (int begin = 0; begin < kLayout.rows(); begin += kBatch) {
        uint32_t w[kBatch][kWords];
#pragma unroll
        for (int i = 0; i < kBatch; ++i) read(w[i], begin + i, column);
#pragma unroll
        for (int i = 0; i < kBatch; ++i) {
          const int row = group() + (begin + i) * kLayout.groups();
          if (!has(row, column)) continue;
          float a[kVector];
          if constexpr (kCache != MatrixCache::registers) expand<Element>(a, w[i]);
          const auto& row_part =
              kCache == MatrixCache::registers ? held[(begin + i) * kLayout.columns() + column] : a;
#pragma unroll
          for (int e = 0; e < kVector; ++e) sum[e] += row_part[e] * v[row];
        }
      }
      if (has(0, column))
#pragma unroll
        for (int e = 0; e < kVector; ++e)
          partials[group() * kRank + vector_at(column) * kVector + e] = sum[e];
    }
  }
};

// Calls visit(i, e) for each vector element e of the thread, its i-th.
template <int kRank, int kThreads, typename Visit>
__device__ __forceinline__ void for_owned(Visit&& visit) {
#pragma unroll
  for (int i = 0; i < (kRank + kThreads - 1) / kThreads; ++i)
    if (const int e = threadIdx.x + i * kThreads; e < kRank) visit(i, e);
}

// A system of the batch, and the shared memory of its block.
template <int kRank, int kGroups, int kThreads>
struct CgSystem {
  float* solution;    // in: where CG starts if it starts warm; out
  const float* bias;  // before it is scaled
  float scale;        // of the matrix
  float (&direction)[kRank];
  float (&partials)[kGroups * kRank];
  float (&sums)[2][kThreads / 32];

  // Element e of the product that the threads' groups left.
  __device__ __forceinline__ float product(int e) const {
    float sum = 0;
#pragma unroll
    for (int g = 0; g < kGroups; ++g) sum += partials[g * kRank + e];
    return sum;
  }
};

// Solves it; returns the steps.
template <int kRank, int kThreads, bool kTolerance, bool kWarm, bool kJacobi, typename Matrix,
          typename System>
__device__ __forceinline__ int solve_system(const PlanArguments& plan, const Matrix& matrix,
                                            const System& system) {
  constexpr int kOwned = (kRank + kThreads - 1) / kThreads;  // vector elements of a thread
  auto& direction = system.direction;
  auto& sums = system.sums;
  float x[kOwned], r[kOwned], d[kOwned];
  float weights[kJacobi ? kOwned : 1];
  const auto weighted = [&](float value, int i) { return kJacobi ? weights[i] * value : value; };
  const auto multiply = [&](const float(&vector)[kOwned]) {
    for_owned<kRank, kThreads>([&](int i, int e) { direction[e] = vector[i]; });
    __syncthreads();
    matrix.multiply(direction, system.partials);
    __syncthreads();
  };

  float square = 0;
  for_owned<kRank, kThreads>([&](int i, int e) {
    r[i] = system.scale * system.bias[e];
    x[i] = kWarm ? system.solution[e] : 0.0f;
    square += r[i] * r[i];
  });
  float stop = 0;
  if constexpr (kTolerance)
    stop = plan.cg_tolerance * plan.cg_tolerance * block_sum<kThreads>(square, sums[0]);
  if constexpr (kWarm) {
    multiply(x);
    for_owned<kRank, kThreads>([&](int i, int e) { r[i] -= system.product(e); });
  }
  if constexpr (kJacobi)
    for_owned<kRank, kThreads>(
        [&](int i, int e) { weights[i] = jacobi_weight(matrix.diagonal(e)); });
  float local = 0;
  for_owned<kRank, kThreads>(
      [&](int i, int) { d[i] = weighted(r[i], i), local += r[i] * weighted(r[i], i); });
  float rr = block_sum<kThreads>(local, sums[1]);
  // A tolerance is of the plain norm. Written so that a NaN goes on and shows in x.
  const auto goes_on = [&] {
    float plain = rr;
    if constexpr (kTolerance && kJacobi) {
      plain = 0;
      for_owned<kRank, kThreads>([&](int i, int) { plain += r[i] * r[i]; });
      plain = block_sum<kThreads>(plain, sums[0]);
    }
    return !(plain <= stop);
  };

  int step = 0;
  for (; step < plan.cg_steps && goes_on(); ++step) {
    multiply(d);
    float ad[kOwned];
    local = 0;
    for_owned<kRank, kThreads>(
        [&](int i, int e) { ad[i] = system.product(e), local += d[i] * ad[i]; });
    const float curvature = block_sum<kThreads>(local, sums[0]);
    if (curvature <= 0) break;  // A rounded to FP16 may be indefinite: the step would diverge
    const float alpha = rr / curvature;
    local = 0;
    for_owned<kRank, kThreads>([&](int i, int) {
      x[i] += alpha * d[i];
      r[i] -= alpha * ad[i];
      local += r[i] * weighted(r[i], i);
    });
    const float rr_new = block_sum<kThreads>(local, sums[1]);
    const float beta = rr_new / rr;
    for_owned<kRank, kThreads>([&](int i, int) { d[i] = weighted(r[i], i) + beta * d[i]; });
    rr = rr_new;
  }
  for_owned<kRank, kThreads>([&](int i, int e) { system.solution[e] = x[i]; });
  return step;
}

template <int kRank, int kThreads, bool kTolerance, bool kL1, bool kWarm, MatrixCache kCache,
          typename Element, bool kJacobi = false>
__global__ void __launch_bounds__(
    kThreads, (CgLayout{kRank, kThreads, sizeof(Element)}.blocks_per_multiprocessor(kCache)))
    cg_solve(UpdateParams p) {
  using Matrix = CgMatrix<kRank, kThreads, kL1, kCache, Element>;
  constexpr int kGroups = Matrix::kLayout.groups();
  extern __shared__ float4 dynamic_shared[];
  __shared__ float direction[kRank];
  __shared__ float partials[kGroups * kRank];
  __shared__ float sums[2][kThreads / 32];

  const int64_t batch_row = blockIdx.x;
  if (batch_row >= p.row_count) return;
  const int64_t u = p.first_row + batch_row;
  float* solution = static_cast<float*>(p.solution.data) + u * p.solution.pitch;
  const float* bias = p.bias + batch_row * p.solution.pitch;
  const int64_t count = p.ratings.offsets[u + 1] - p.ratings.offsets[u];
  if (threadIdx.x == 0 && p.status != nullptr) p.status[batch_row] = 0;
  if (count == 0) {
    for (int e = threadIdx.x; e < kRank; e += kThreads) solution[e] = 0;
    if (threadIdx.x == 0 && p.steps != nullptr) p.steps[batch_row] = 0;
    return;
  }

  Matrix matrix;
  matrix.matrix = static_cast<const Element*>(p.matrices) + batch_row * (kRank * kRank);
  matrix.fetch(dynamic_shared);
  const float scale = sizeof(Element) == 2 ? 1.0f / static_cast<float>(count) : 1.0f;
  const int step = solve_system<kRank, kThreads, kTolerance, kWarm, kJacobi>(
      p.plan, matrix,
      CgSystem<kRank, kGroups, kThreads>{solution, bias, scale, direction, partials, sums});
  if (threadIdx.x == 0 && p.steps != nullptr) p.steps[batch_row] = step;
}

}  // namespace alsbench
