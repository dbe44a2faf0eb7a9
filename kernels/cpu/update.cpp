// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/update.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "kernels/cpu/bias.h"
#include "kernels/cpu/element.h"
#include "kernels/cpu/hermitian.h"
#include "kernels/cpu/solve.h"

namespace alsbench {
namespace {

// Batch row `item` as a batch of its own.
UpdateParams batch_of_row(UpdateParams params, int64_t item) {
  params.first_row += item;
  params.row_count = 1;
  if (params.steps != nullptr) params.steps += item;
  if (params.status != nullptr) params.status += item;
  return params;
}

float* solution_row(const UpdateParams& params, int64_t item) {
  return static_cast<float*>(params.solution.data) +
         (params.first_row + item) * params.solution.pitch;
}

// The copy of a row's solution that UpdateParams::rounded asks for; the CPU has it in half.
void round_solution(const UpdateParams& params, int64_t item) {
  if (params.rounded == nullptr) return;
  const int64_t place = (params.first_row + item) * params.solution.pitch;
  const float* solution = static_cast<const float*>(params.solution.data) + place;
  uint16_t* target = static_cast<uint16_t*>(params.rounded) + place;
  simd().to_half(solution, 1, target, params.solution.rank);
  uint32_t overflows = 0;
  for (int e = 0; e < params.solution.rank; ++e)
    overflows += std::isfinite(solution[e]) && !std::isfinite(half_to_float(target[e]));
  if (overflows > 0 && params.overflows != nullptr)
    std::atomic_ref(*params.overflows).fetch_add(overflows, std::memory_order_relaxed);
}

// A row without ratings has a zero solution.
void clear_row(const UpdateParams& params, int64_t item) {
  std::fill_n(solution_row(params, item), params.solution.rank, 0.0f);
  round_solution(params, item);
  if (params.steps != nullptr) params.steps[item] = 0;
  if (params.status != nullptr) params.status[item] = 0;
}

// solve(row, scratch) solves a row's system, which is formed in memory that stays in the cache:
// batch row 0 of `row`, with `solver_floats` of scratch.
template <class Solve>
void update_formed(const UpdateParams& params, bool half_factors, int64_t solver_floats,
                   const CpuResources& resources, const Solve& solve) {
  const int rank = params.solution.rank;
  HermitianOptions hermitian;
  hermitian.half_factors = half_factors;
  hermitian.streaming = false;
  const int64_t matrix = CpuResources::padded(int64_t{rank} * rank);
  const int64_t bias = CpuResources::padded(params.solution.pitch);
  const int64_t forming = hermitian_floats(rank, hermitian);
  const int64_t floats = matrix + bias + forming + solver_floats;
  float* scratch = resources.thread_scratch(floats);
  std::fill_n(scratch, floats * resources.threads, 0.0f);
  const auto update_row = [&](int64_t item, int thread) {
    if (rating_row(params.ratings, params.first_row + item).count == 0)
      return clear_row(params, item);
    UpdateParams row = batch_of_row(params, item);
    float* memory = scratch + thread * floats;
    row.matrices = memory;
    row.bias = memory + matrix;
    float* const own = row.bias + bias;
    hermitian_blocked_row(row, hermitian, 0, own);
    bias_row(row, half_factors, 0, own + forming);
    solve(row, own + forming);
    round_solution(params, item);
  };
  parallel_rows_by_length(params.ratings.offsets + params.first_row, params.row_count,
                          resources.threads, update_row);
}

// A_u x_u = b_u as the products of the row's gathered factors, for CG.
class GatheredSystem {
 public:
  GatheredSystem(const UpdateParams& params, bool half, const RatingRow& row,
                 const GatherBuffer& buffer)
      : params_(params),
        half_(half),
        row_(row),
        buffer_(buffer),
        diagonal_(params.lambda * static_cast<float>(row.count)) {
    if (fits()) buffer_.gather(params_.factors, half_, row_, 0, row_.count);
  }

  void bias(float* r) const {
    std::fill_n(r, buffer_.ld, 0.0f);
    for_each_part([&](int64_t first, int64_t count) {
      for (int64_t k = 0; k < count; ++k)
        simd().axpy(row_.values[first + k], buffer_.factors + k * buffer_.ld, r,
                    static_cast<int>(buffer_.ld));
    });
  }
  void residual(const float* x, float* r) const { products(x, row_.values, r); }
  void multiply(const float* p, float* ap) const { products(p, nullptr, ap); }
  float energy(const float* p) const {
    double sum = 0;
    for_each_part([&](int64_t, int64_t count) {
      sum = simd().add_squares(buffer_.factors, count, buffer_.ld, p, sum);
    });
    return static_cast<float>(sum) + diagonal_ * simd().dot(p, p, static_cast<int>(buffer_.ld));
  }
  void diagonal(float* d) const {
    std::fill_n(d, buffer_.ld, diagonal_);
    for_each_part([&](int64_t, int64_t count) {
      for (int64_t k = 0; k < count; ++k) {
        const float* theta = buffer_.factors + k * buffer_.ld;
        for (int64_t i = 0; i < buffer_.ld; ++i) d[i] += theta[i] * theta[i];
      }
    });
  }

 private:
  bool fits() const { return row_.count <= buffer_.size.capacity; }

  // visit(first, count) for the parts of the row that the buffer holds, gathered there.
  template <class Visit>
  void for_each_part(const Visit& visit) const {
    const int64_t step = buffer_.step(row_);
    for (int64_t first = 0; first < row_.count; first += step) {
      const int64_t count = std::min(step, row_.count - first);
      if (!fits()) buffer_.gather(params_.factors, half_, row_, first, count);
      visit(first, count);
    }
  }

  // y = A_u v, or b_u - A_u v where the ratings are given.
  void products(const float* v, const float* ratings, float* y) const {
    std::fill_n(y, buffer_.ld, 0.0f);
    for_each_part([&](int64_t first, int64_t count) {
      simd().add_products(buffer_.factors, count, buffer_.ld, v,
                          ratings == nullptr ? nullptr : ratings + first, y);
    });
    simd().axpy(ratings == nullptr ? diagonal_ : -diagonal_, v, y, static_cast<int>(buffer_.ld));
  }

  const UpdateParams& params_;
  bool half_;
  const RatingRow& row_;
  const GatherBuffer& buffer_;
  const float diagonal_;  // what is added to A_u's
};

}  // namespace

void update_blocked(const UpdateParams& params, bool half_factors, const CgOptions& options,
                    const CpuResources& resources) {
  update_formed(params, half_factors, solve_cg_floats(params.solution.rank), resources,
                [&](const UpdateParams& row, float* scratch) {
                  solve_cg_row(row, false, options, 0, scratch);
                });
}

void update_cholesky(const UpdateParams& params, bool half_factors, const CpuResources& resources) {
  update_formed(
      params, half_factors, solve_cholesky_floats(params.solution.rank), resources,
      [](const UpdateParams& row, float* scratch) { solve_cholesky_row(row, 0, scratch); });
}

void update_matrix_free(const UpdateParams& params, bool half_factors, const CgOptions& options,
                        const CpuResources& resources, const GatherLimits& limits) {
  const int rank = params.solution.rank;
  const int64_t ld = gathered_pitch(rank);
  const int64_t* const offsets = params.ratings.offsets + params.first_row;
  const GatherSize size = gather_size(offsets, params.row_count, ld, resources.threads, limits);
  const int64_t vectors = 1 + kCgVectors;  // x next to them
  const int64_t floats = (vectors + size.capacity) * ld;
  float* scratch = resources.thread_scratch(floats);
  const auto update_row = [&](int64_t item, int thread) {
    const RatingRow row = rating_row(params.ratings, params.first_row + item);
    if (row.count == 0) return clear_row(params, item);
    float* solution = solution_row(params, item);
    float* x = scratch + thread * floats;
    std::copy_n(solution, rank, x);
    std::fill(x + rank, x + ld, 0.0f);
    const GatherBuffer buffer{ld, size, x + vectors * ld};
    const GatheredSystem system(params, half_factors, row, buffer);
    CgOptions enough = options;
    // A_u has an eigenvalue for each rating, and lambda n: CG ends after as many steps.
    if (!options.jacobi)
      enough.steps = static_cast<int>(std::min<int64_t>(options.steps, row.count + 1));
    const int steps = conjugate_gradient(system, static_cast<int>(ld), enough, x, x + ld);
    std::copy_n(x, rank, solution);
    round_solution(params, item);
    if (params.steps != nullptr) params.steps[item] = steps;
    if (params.status != nullptr) params.status[item] = 0;
  };
  parallel_rows_by_length(offsets, params.row_count, resources.threads, update_row);
}

}  // namespace alsbench
