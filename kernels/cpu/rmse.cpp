// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/rmse.h"

#include "kernels/cpu/factor_rows.h"

namespace alsbench {
namespace {

struct Partial {
  double sum = 0;
  int64_t cold = 0;
};

bool has_ratings(const int64_t* offsets, int64_t row) { return offsets[row + 1] > offsets[row]; }

void add_row(const RmseParams& params, int64_t row, Partial& partial) {
  const auto* x = static_cast<const float*>(params.x.data) + row * params.x.pitch;
  const auto* theta = static_cast<const float*>(params.theta.data);
  const RatingRow ratings = rating_row(params.ratings, row);
  const bool known_row = has_ratings(params.train_row_offsets, row);
  for (int64_t k = 0; k < ratings.count; ++k) {
    const int64_t column = ratings.indices[k];
    const bool cold = !known_row || !has_ratings(params.train_col_offsets, column);
    const float predicted =
        cold ? params.mean : simd().dot(x, theta + column * params.theta.pitch, params.x.rank);
    const double error = static_cast<double>(ratings.values[k]) - static_cast<double>(predicted);
    partial.sum += error * error;
    partial.cold += cold ? 1 : 0;
  }
}

}  // namespace

void rmse_rows(const RmseParams& params, const CpuResources& resources) {
  const int64_t rows = params.ratings.rows;
  const auto add_range = [&](int64_t index, int) {
    Partial partial;
    const auto part = static_cast<int32_t>(index);
    const int64_t end = params.partials.end_of(part, rows);
    for (int64_t row = params.partials.begin_of(part, rows); row < end; ++row)
      add_row(params, row, partial);
    params.partial_sums[index] = partial.sum;
    params.partial_cold[index] = partial.cold;
  };
  parallel_rows(kRmsePartials, resources.threads, add_range);
}

}  // namespace alsbench
