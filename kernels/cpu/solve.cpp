#include "kernels/cpu/solve.h"

#include <algorithm>

#include "kernels/cpu/blas.h"
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

// One system for CG: y = A x, and the scale that b_u needs to fit A.
bool is_empty_row(const UpdateParams& params, int64_t item) {
  const int64_t* offsets = params.ratings.offsets + params.first_row + item;
  return offsets[0] == offsets[1];
}

class System {
 public:
  System(const UpdateParams& params, bool half, int64_t item)
      : rank_(params.solution.rank), half_(half) {
    const int64_t begin = item * rank_ * rank_;
    if (half)
      half_matrix_ = static_cast<const uint16_t*>(params.matrices) + begin;
    else
      matrix_ = static_cast<const float*>(params.matrices) + begin;
    const int64_t row = params.first_row + item;
    const int64_t count = params.ratings.offsets[row + 1] - params.ratings.offsets[row];
    if (half && count > 0) bias_scale_ = 1.0f / static_cast<float>(count);
  }

  void multiply(const float* x, float* y) const {
    if (half_)
      simd().multiply_half(half_matrix_, rank_, x, y);
    else
      simd().multiply(matrix_, rank_, x, y);
  }
  float bias_scale() const { return bias_scale_; }

 private:
  int rank_;
  bool half_;
  const float* matrix_ = nullptr;
  const uint16_t* half_matrix_ = nullptr;
  float bias_scale_ = 1;
};

// The paper's Algorithm 1 with the residual update r = r - alpha A p (it prints r - alpha p).
// `scratch` holds 3 rank floats. Returns the steps taken.
int conjugate_gradient(const System& system, const float* bias, int rank, const CgOptions& options,
                       float* x, float* scratch) {
  float* r = scratch;
  float* p = r + rank;
  float* ap = p + rank;
  float bias_norm = 0;  // squared
  for (int i = 0; i < rank; ++i) {
    r[i] = bias[i] * system.bias_scale();
    bias_norm += r[i] * r[i];
  }
  if (options.warm_start) {
    system.multiply(x, ap);
    simd().axpy(-1.0f, ap, r, rank);
  } else {
    std::fill_n(x, rank, 0.0f);
  }
  std::copy_n(r, rank, p);
  float rr = simd().dot(r, r, rank);
  const float enough = options.tolerance * options.tolerance * bias_norm;
  int step = 0;
  for (; step < options.steps && rr > enough; ++step) {
    system.multiply(p, ap);
    const float pap = simd().dot(p, ap, rank);
    if (!(pap > 0)) break;  // p has vanished in float; x is as good as it gets
    const float alpha = rr / pap;
    simd().axpy(alpha, p, x, rank);
    simd().axpy(-alpha, ap, r, rank);
    const float next = simd().dot(r, r, rank);
    simd().scale_add(r, next / rr, p, rank);
    rr = next;
  }
  return step;
}

// Factorises in place, column-major (A is symmetric), and leaves the pivots in `pivots`.
int getrf(float* a, int rank, int* pivots) {
  int info = 0;
  sgetrf_(&rank, &rank, a, &rank, pivots, &info);
  return info;
}

int potrf(float* a, int rank) {
  int info = 0;
  spotrf_("L", &rank, a, &rank, &info);
  return info;
}

int* pivot_scratch(const UpdateParams& params, const CpuResources& resources) {
  return reinterpret_cast<int*>(resources.thread_scratch(params.solution.rank));
}

}  // namespace

void solve_cg(const UpdateParams& params, const CgOptions& options, const CpuResources& resources) {
  const int rank = params.solution.rank;
  const int64_t floats = CpuResources::padded(3 * int64_t{rank});
  float* scratch = resources.thread_scratch(floats);
  parallel_rows(params.row_count, resources.threads, [&](int64_t item, int thread) {
    float* x = solution_of(params, item);
    int steps = 0;
    if (is_empty_row(params, item))
      std::fill_n(x, rank, 0.0f);  // by definition, whatever the warm start
    else
      steps = conjugate_gradient(System(params, options.half_matrices, item),
                                 params.bias + item * params.solution.pitch, rank, options, x,
                                 scratch + thread * floats);
    if (params.steps != nullptr) params.steps[item] = steps;
    set_status(params, item, 0);
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
    sgetrs_("N", &rank, &one, a, &rank, own, x, &rank, &ignored);
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
    spotrs_("L", &rank, &one, a, &rank, x, &rank, &ignored);
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
