// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/solve.h"

#include <algorithm>
#include <limits>

#include "kernels/cpu/blas.h"
#include "kernels/cpu/element.h"
#include "kernels/cpu/simd/simd.h"

namespace alsbench {
namespace {

float* matrix_of(const UpdateParams& params, int64_t item) {
  return static_cast<float*>(params.matrices) + item * params.solution.rank * params.solution.rank;
}

float* solution_of(const UpdateParams& params, int64_t item) {
  return static_cast<float*>(params.solution.data) +
         (params.first_row + item) * params.solution.pitch;
}

void set_status(const UpdateParams& params, int64_t item, int info) {
  if (params.status != nullptr) params.status[item] = info;
}

bool is_empty_row(const UpdateParams& params, int64_t item) {
  const int64_t* offsets = params.ratings.offsets + params.first_row + item;
  return offsets[0] == offsets[1];
}

// A_u x_u = b_u with A_u in memory, for CG.
class DenseSystem {
 public:
  DenseSystem(const UpdateParams& params, bool half, int64_t item)
      : rank_(params.solution.rank),
        half_(half),
        bias_(params.bias + item * params.solution.pitch) {
    const int64_t begin = item * rank_ * rank_;
    if (half)
      half_matrix_ = static_cast<const uint16_t*>(params.matrices) + begin;
    else
      matrix_ = static_cast<const float*>(params.matrices) + begin;
    const int64_t row = params.first_row + item;
    const int64_t count = params.ratings.offsets[row + 1] - params.ratings.offsets[row];
    if (half && count > 0) bias_scale_ = 1.0f / static_cast<float>(count);
  }

  void bias(float* r) const {
    for (int i = 0; i < rank_; ++i) r[i] = bias_[i] * bias_scale_;
  }
  void residual(const float* x, float* r) const {
    multiply(x, r);
    for (int i = 0; i < rank_; ++i) r[i] = bias_[i] * bias_scale_ - r[i];
  }
  void multiply(const float* x, float* y) const {
    if (half_)
      simd().multiply_half(half_matrix_, rank_, x, y);
    else
      simd().multiply(matrix_, rank_, x, y);
  }
  void diagonal(float* d) const {
    for (int i = 0; i < rank_; ++i) {
      const int64_t at = int64_t{i} * (rank_ + 1);
      d[i] = half_ ? half_to_float(half_matrix_[at]) : matrix_[at];
    }
  }

 private:
  int rank_;
  bool half_;
  const float* matrix_ = nullptr;
  const uint16_t* half_matrix_ = nullptr;
  const float* bias_;
  float bias_scale_ = 1;  // what b_u needs to fit A_u
};

// Factorises in place, column-major (A is symmetric), and leaves the pivots in `pivots`.
int getrf(float* a, int rank, int* pivots) {
  int info = 0;
  blas().sgetrf_(&rank, &rank, a, &rank, pivots, &info);
  return info;
}

int potrf(float* a, int rank) {
  int info = 0;
  blas().spotrf_("L", &rank, a, &rank, &info);
  return info;
}

int* pivot_scratch(const UpdateParams& params, const CpuResources& resources) {
  return reinterpret_cast<int*>(resources.thread_scratch(params.solution.rank));
}

}  // namespace

int64_t solve_cg_floats(int rank) { return CpuResources::padded(kCgVectors * int64_t{rank}); }

void solve_cg_row(const UpdateParams& params, bool half_matrices, const CgOptions& options,
                  int64_t item, float* scratch) {
  const int rank = params.solution.rank;
  float* x = solution_of(params, item);
  int steps = 0;
  if (is_empty_row(params, item))
    std::fill_n(x, rank, 0.0f);  // by definition, whatever the warm start
  else
    steps = conjugate_gradient(DenseSystem(params, half_matrices, item), rank, options, x, scratch);
  if (params.steps != nullptr) params.steps[item] = steps;
  set_status(params, item, 0);
}

void solve_cg(const UpdateParams& params, bool half_matrices, const CgOptions& options,
              const CpuResources& resources) {
  const int64_t floats = solve_cg_floats(params.solution.rank);
  float* scratch = resources.thread_scratch(floats);
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    solve_cg_row(params, half_matrices, options, item, scratch + thread * floats);
  });
}

int64_t solve_cholesky_floats(int rank) {
  return (cholesky_rows(rank) + 1) * cholesky_pitch(rank);  // x next to the system
}

void solve_cholesky_row(const UpdateParams& params, int64_t item, float* scratch) {
  const int rank = params.solution.rank;
  const int64_t rows = cholesky_rows(rank), ld = cholesky_pitch(rank);
  const float* a = matrix_of(params, item);
  const float* b = params.bias + item * params.solution.pitch;
  float* const solution = solution_of(params, item);
  for (int64_t i = 0; i < rows; ++i) {
    float* row = scratch + i * ld;
    const int64_t known = i < rank ? rank : 0;
    std::copy_n(a + i * rank, known, row);
    std::fill(row + known, row + ld, 0.0f);
    (i < rank ? row[rows] : row[i]) = i < rank ? b[i] : 1.0f;
  }
  float* const x = scratch + rows * ld;
  const int info = simd().solve_cholesky(scratch, rank, x);
  if (info == 0)
    std::copy_n(x, rank, solution);
  else
    std::fill_n(solution, rank, std::numeric_limits<float>::quiet_NaN());
  set_status(params, item, info);
}

void solve_blocked_cholesky(const UpdateParams& params, const CpuResources& resources) {
  const int64_t floats = solve_cholesky_floats(params.solution.rank);
  float* scratch = resources.thread_scratch(floats);
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    solve_cholesky_row(params, item, scratch + thread * floats);
  });
}

void solve_lu(const UpdateParams& params, const CpuResources& resources) {
  const int rank = params.solution.rank, one = 1;
  int* pivots = pivot_scratch(params, resources);
  const SingleThreadedBlas single;
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    int* own = pivots + thread * CpuResources::padded(rank);
    float* a = matrix_of(params, item);
    float* x = solution_of(params, item);
    const int info = getrf(a, rank, own);
    int ignored = 0;
    std::copy_n(params.bias + item * params.solution.pitch, rank, x);
    blas().sgetrs_("N", &rank, &one, a, &rank, own, x, &rank, &ignored);
    set_status(params, item, info);
  });
}

void solve_cholesky(const UpdateParams& params, const CpuResources& resources) {
  const int rank = params.solution.rank, one = 1;
  const SingleThreadedBlas single;
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int) {
    float* a = matrix_of(params, item);
    float* x = solution_of(params, item);
    const int info = potrf(a, rank);
    int ignored = 0;
    std::copy_n(params.bias + item * params.solution.pitch, rank, x);
    blas().spotrs_("L", &rank, &one, a, &rank, x, &rank, &ignored);
    set_status(params, item, info);
  });
}

void factorize_lu(const UpdateParams& params, const CpuResources& resources) {
  int* pivots = pivot_scratch(params, resources);
  const SingleThreadedBlas single;
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    const int rank = params.solution.rank;
    set_status(params, item,
               getrf(matrix_of(params, item), rank, pivots + thread * CpuResources::padded(rank)));
  });
}

void factorize_cholesky(const UpdateParams& params, const CpuResources& resources) {
  const SingleThreadedBlas single;
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int) {
    set_status(params, item, potrf(matrix_of(params, item), params.solution.rank));
  });
}

}  // namespace alsbench
