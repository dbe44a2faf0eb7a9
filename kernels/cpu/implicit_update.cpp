// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/implicit_update.h"

#include <cmath>

#include "kernels/cpu/gathered_rows.h"

namespace alsbench {
namespace {

// Memory of a thread in addition to its gathered rows.
struct RowMemory {
  GatherBuffer buffer;
  float* targets;  // of each gathered row: what b_u multiplies it by
  float* signs;    // and whether A_u has it added (1) or taken off (-1)
  float* product;  // with the Gram matrix
};

// A_u x_u = b_u, for CG.
class WeightedSystem {
 public:
  WeightedSystem(const ImplicitParams& params, const RatingRow& row, const RowMemory& memory)
      : params_(params),
        row_(row),
        memory_(memory),
        diagonal_(params.weighted != 0 ? params.update.lambda * static_cast<float>(row.count)
                                       : params.update.lambda) {
    if (fits()) gather(0, row_.count);
  }

  void bias(float* r) const {
    std::fill_n(r, ld(), 0.0f);
    for_each_part([&](int64_t count) {
      for (int64_t k = 0; k < count; ++k)
        simd().axpy(memory_.targets[k], weighted(k), r, static_cast<int>(ld()));
    });
  }
  void residual(const float* x, float* r) const { products(x, memory_.targets, r); }
  void multiply(const float* p, float* ap) const { products(p, nullptr, ap); }
  float energy(const float* p) const {
    double sum = 0;
    for_each_part([&](int64_t count) {
      sum = simd().add_squares(memory_.buffer.factors, count, ld(), p, sum);
      for_each_negative(count, [&](const float* row) {
        const double product = simd().dot(row, p, rank());
        sum -= 2 * product * product;
      });
    });
    return static_cast<float>(sum) + simd().dot(p, gram_times(p), rank()) +
           diagonal_ * simd().dot(p, p, rank());
  }
  void diagonal(float* d) const {
    std::fill_n(d, ld(), 0.0f);
    for (int64_t i = 0; i < rank(); ++i) d[i] = diagonal_ + params_.gram[i * (rank() + 1)];
    for_each_part([&](int64_t count) {
      for (int64_t k = 0; k < count; ++k)
        for (int64_t i = 0; i < rank(); ++i)
          d[i] += memory_.signs[k] * weighted(k)[i] * weighted(k)[i];
    });
  }

 private:
  int rank() const { return params_.update.factors.rank; }
  int64_t ld() const { return memory_.buffer.ld; }
  const float* weighted(int64_t k) const { return memory_.buffer.factors + k * ld(); }
  bool fits() const { return row_.count <= memory_.buffer.size.capacity; }

  // The Gram matrix times v, until the next call.
  const float* gram_times(const float* v) const {
    simd().multiply(params_.gram, rank(), v, memory_.product);
    return memory_.product;
  }

  // Roots and targets are zero for a rating that says nothing. A weight of zero is a little more
  // where the rating has a target, which the row brings into b_u.
  void gather(int64_t first, int64_t count) const {
    constexpr float kMinSize = 1e-12f;
    memory_.buffer.gather(params_.update.factors, false, row_, first, count);
    negative_ = 0;
    for (int64_t k = 0; k < count; ++k) {
      const CellWeights weights =
          cell_weights(row_.values[first + k], params_.alpha, params_.direct != 0);
      const float size = std::abs(weights.added);
      const float root = std::sqrt(weights.target != 0 ? std::max(size, kMinSize) : size);
      memory_.targets[k] = root > 0 ? weights.target / root : 0;
      memory_.signs[k] = weights.added < 0 ? -1.0f : 1.0f;
      negative_ += weights.added < 0 ? 1 : 0;
      float* const row = memory_.buffer.factors + k * ld();
      std::transform(row, row + ld(), row, [root](float value) { return root * value; });
    }
  }

  // visit(count) for the parts of the row that the buffer holds, gathered there.
  template <class Visit>
  void for_each_part(const Visit& visit) const {
    const int64_t step = memory_.buffer.step(row_);
    for (int64_t first = 0; first < row_.count; first += step) {
      const int64_t count = std::min(step, row_.count - first);
      if (!fits()) gather(first, count);
      visit(count);
    }
  }

  // visit(row) for the gathered rows that A_u has taken off.
  template <class Visit>
  void for_each_negative(int64_t count, const Visit& visit) const {
    if (negative_ == 0) return;
    for (int64_t k = 0; k < count; ++k)
      if (memory_.signs[k] < 0) visit(weighted(k));
  }

  // y = A_u v, or b_u - A_u v where the targets are given.
  void products(const float* v, const float* targets, float* y) const {
    const float sign = targets == nullptr ? 1.0f : -1.0f;
    std::fill_n(y, ld(), 0.0f);
    for_each_part([&](int64_t count) {
      simd().add_products(memory_.buffer.factors, count, ld(), v, targets, y);
      for_each_negative(count, [&](const float* row) {
        simd().axpy(-2 * sign * simd().dot(row, v, rank()), row, y, rank());
      });
    });
    simd().axpy(sign, gram_times(v), y, rank());
    simd().axpy(sign * diagonal_, v, y, rank());
  }

  const ImplicitParams& params_;
  const RatingRow& row_;
  const RowMemory& memory_;
  const float diagonal_;
  mutable int64_t negative_ = 0;  // gathered rows that A_u has taken off
};

}  // namespace

void implicit_update_matrix_free(const ImplicitParams& params, const CgOptions& options,
                                 const CpuResources& resources) {
  const UpdateParams& update = params.update;
  const int rank = update.solution.rank;
  const int64_t ld = gathered_pitch(rank);
  const int64_t* const offsets = update.ratings.offsets + update.first_row;
  const GatherSize size = gather_size(offsets, update.row_count, ld, resources.threads, {});
  const int64_t vectors = 2 + kCgVectors;  // x and the product, too
  const int64_t rows_at = vectors * ld, targets_at = rows_at + size.capacity * ld;
  const int64_t signs_at = targets_at + CpuResources::padded(size.capacity);
  const int64_t floats = signs_at + CpuResources::padded(size.capacity);
  float* scratch = resources.thread_scratch(floats);
  const auto update_row = [&](int64_t item, int thread) {
    const RatingRow row = rating_row(update.ratings, update.first_row + item);
    float* solution = static_cast<float*>(update.solution.data) +
                      (update.first_row + item) * update.solution.pitch;
    int steps = 0;
    if (row.count == 0) {
      std::fill_n(solution, rank, 0.0f);
    } else {
      float* const memory = scratch + thread * floats;
      float* const x = memory;
      std::copy_n(solution, rank, x);
      std::fill(x + rank, x + ld, 0.0f);
      const RowMemory own{
          {ld, size, memory + rows_at}, memory + targets_at, memory + signs_at, memory + ld};
      const WeightedSystem system(params, row, own);
      steps = conjugate_gradient(system, static_cast<int>(ld), options, x, memory + 2 * ld);
      std::copy_n(x, rank, solution);
    }
    if (update.steps != nullptr) update.steps[item] = steps;
    if (update.status != nullptr) update.status[item] = 0;
  };
  parallel_rows_by_length(offsets, update.row_count, resources.threads, update_row);
}

}  // namespace alsbench
