// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/implicit.h"

#include <cmath>

#include "kernels/cpu/factor_rows.h"

namespace alsbench {
namespace {

const float* row_of(const FactorsView& factors, int64_t row) {
  return static_cast<const float*>(factors.data) + row * factors.pitch;
}

RatingRow batch_row(const UpdateParams& update, int64_t item) {
  return rating_row(update.ratings, update.first_row + item);
}

CellWeights weights_of(const ImplicitParams& params, float rating) {
  return cell_weights(rating, params.alpha, params.direct != 0);
}

// b_u of batch row `item`, with its padding.
void write_bias(const ImplicitParams& params, int64_t item) {
  const UpdateParams& update = params.update;
  float* b = update.bias + item * update.solution.pitch;
  std::fill_n(b, update.solution.pitch, 0.0f);
  const RatingRow row = batch_row(update, item);
  for (int64_t k = 0; k < row.count; ++k)
    if (const float target = weights_of(params, row.values[k]).target; target != 0)
      simd().axpy(target, row_of(update.factors, row.indices[k]), b, update.factors.rank);
}

// From the weighted sums, rank x rank, to A_u.
void complete_matrix(const ImplicitParams& params, int64_t count, float* matrix) {
  const int64_t rank = params.update.factors.rank;
  const float weight = params.weighted != 0 ? static_cast<float>(count) : 1.0f;
  const float diagonal = count > 0 ? params.update.lambda * weight : 1.0f;
  if (count > 0)
    simd().axpy(1.0f, params.gram, matrix, static_cast<int>(rank * rank));
  else
    std::fill_n(matrix, rank * rank, 0.0f);
  for (int64_t i = 0; i < rank; ++i) matrix[i * (rank + 1)] += diagonal;
}

// A thread's memory while it forms one matrix after another.
struct Workspace {
  float* bin;    // factor rows, `rows` x ld, zero from the rank on
  float* lower;  // the triangle, rank_update_rows x ld
  float* whole;  // the matrix, rank x rank and a vector more

  static int64_t triangle_at(int rank, int rows) {
    return CpuResources::padded(rows * rank_update_pitch(rank));
  }
  static int64_t whole_at(int rank, int rows) {
    return triangle_at(rank, rows) +
           CpuResources::padded(rank_update_rows(rank) * rank_update_pitch(rank));
  }
  static int64_t floats(int rank, int rows) {
    return whole_at(rank, rows) + CpuResources::padded(int64_t{rank} * rank + kWidestVector);
  }
  Workspace(float* memory, int rank, int rows)
      : bin(memory),
        lower(memory + triangle_at(rank, rows)),
        whole(memory + whole_at(rank, rows)) {}
};

// Factor rows times the square root of their weight, as rows of `ld` floats; of one below zero,
// none.
void gather_weighted(const ImplicitParams& params, const RatingRow& row, int64_t first, int count,
                     const Workspace& work) {
  const FactorsView& factors = params.update.factors;
  const int64_t ld = rank_update_pitch(factors.rank);
  for (int i = 0; i < count; ++i) {
    const float weight = std::sqrt(std::max(0.0f, weights_of(params, row.values[first + i]).added));
    const float* theta = row_of(factors, row.indices[first + i]);
    std::transform(theta, theta + factors.rank, work.bin + i * ld,
                   [=](float value) { return weight * value; });
  }
}

// Adds the outer products whose weights are below zero, which have no root.
void add_negative(const ImplicitParams& params, const RatingRow& row, float* matrix) {
  const FactorsView& factors = params.update.factors;
  for (int64_t k = 0; k < row.count; ++k) {
    const float added = weights_of(params, row.values[k]).added;
    if (added >= 0) continue;
    const float* theta = row_of(factors, row.indices[k]);
    for (int64_t i = 0; i < factors.rank; ++i)
      simd().axpy(added * theta[i], theta, matrix + i * factors.rank, factors.rank);
  }
}

struct LossSums {
  double loss = 0, square = 0, confidence = 0;
};

void add_row(const ImplicitLossParams& params, int64_t row, LossSums& sums) {
  const float* x = row_of(params.x, row);
  const RatingRow ratings = rating_row(params.ratings, row);
  for (int64_t k = 0; k < ratings.count; ++k) {
    const double s = simd().dot(x, row_of(params.theta, ratings.indices[k]), params.x.rank);
    const double p = ratings.values[k] > 0 ? 1 : 0;
    const double added = cell_weights(ratings.values[k], params.alpha, params.direct != 0).added;
    sums.loss += (1 + added) * (p - s) * (p - s) - s * s;
    sums.square += s * s;
    sums.confidence += added;
  }
}

}  // namespace

void implicit_equations_naive(const ImplicitParams& params, const CpuResources& resources) {
  const UpdateParams& update = params.update;
  const int64_t rank = update.factors.rank;
  parallel_rows(update.row_count, resources.threads, [&](int64_t item, int) {
    float* matrix = static_cast<float*>(update.matrices) + item * rank * rank;
    std::fill_n(matrix, rank * rank, 0.0f);
    const RatingRow row = batch_row(update, item);
    for (int64_t k = 0; k < row.count; ++k) {
      const float* theta = row_of(update.factors, row.indices[k]);
      const float weight = weights_of(params, row.values[k]).added;
      for (int64_t i = 0; i < rank; ++i)
        for (int64_t j = 0; j < rank; ++j) matrix[i * rank + j] += weight * (theta[i] * theta[j]);
    }
    complete_matrix(params, row.count, matrix);
    write_bias(params, item);
  });
}

void implicit_equations_blocked(const ImplicitParams& params, RegisterTile tile, int bin,
                                const CpuResources& resources) {
  const UpdateParams& update = params.update;
  const int rank = update.factors.rank;
  const int64_t ld = rank_update_pitch(rank), elements = int64_t{rank} * rank;
  const int64_t floats = Workspace::floats(rank, bin);
  float* scratch = resources.thread_scratch(floats);
  std::fill_n(scratch, floats * resources.threads, 0.0f);
  const auto form = [&](int64_t item, int thread) {
    const Workspace work(scratch + thread * floats, rank, bin);
    const RatingRow row = batch_row(update, item);
    for (int64_t k = 0; k < row.count; k += bin) {
      const int count = static_cast<int>(std::min<int64_t>(bin, row.count - k));
      gather_weighted(params, row, k, count, work);
      const int64_t next = k + count, end = std::min<int64_t>(next + bin, row.after);
      for (int64_t i = next; i < end; ++i)
        prefetch_factor_row(update.factors, false, row.indices[i]);
      simd().rank_update(tile, work.bin, count, rank, ld, work.lower, k > 0);
    }
    simd().unpack_lower(work.lower, ld, rank, work.whole);
    if (params.direct != 0) add_negative(params, row, work.whole);
    complete_matrix(params, row.count, work.whole);
    simd().stream(work.whole, static_cast<float*>(update.matrices) + item * elements, elements);
    write_bias(params, item);
  };
  parallel_rows_by_length(update.ratings.offsets + update.first_row, update.row_count,
                          resources.threads, form);
}

void implicit_loss_rows(const ImplicitLossParams& params, const CpuResources& resources) {
  const int64_t rows = params.ratings.rows;
  const auto add_range = [&](int64_t index, int) {
    LossSums sums;
    const auto part = static_cast<int32_t>(index);
    const int64_t end = params.partials.end_of(part, rows);
    for (int64_t row = params.partials.begin_of(part, rows); row < end; ++row)
      add_row(params, row, sums);
    params.losses[index] = sums.loss;
    params.squares[index] = sums.square;
    params.confidence[index] = sums.confidence;
  };
  parallel_rows(kLossPartials, resources.threads, add_range);
}

}  // namespace alsbench
