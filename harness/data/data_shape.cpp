// SPDX-License-Identifier: Apache-2.0
#include "harness/data/data_shape.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "harness/data/generator_spec.h"
#include "kernels/shared/int8_factors.h"

namespace alsbench {
namespace {

// Quantiles of row lengths that go down from the first, as Shape has them; `share` of each is kept.
std::array<int64_t, 7> quantiles_of(const std::vector<double>& degrees, double share) {
  constexpr std::array<double, 7> kQuantiles{0, 0.25, 0.5, 0.75, 0.9, 0.99, 1};
  std::array<int64_t, 7> result{};
  const double last = static_cast<double>(degrees.size() - 1);
  for (size_t i = 0; i < kQuantiles.size(); ++i) {
    const auto place = static_cast<size_t>(std::llround((1 - kQuantiles[i]) * last));
    result[i] = std::llround(degrees[place] * share);
  }
  return result;
}

int64_t filled(int64_t count, double empty_share) {
  return count - std::llround(empty_share * static_cast<double>(count));
}

Shape side_shape(const DatasetSpec& spec, bool users, int32_t rank) {
  const int64_t rows = users ? spec.rows : spec.cols, cols = users ? spec.cols : spec.rows;
  const int64_t filled_rows = filled(rows, users ? spec.empty_rows : spec.empty_cols);
  const int64_t filled_cols = filled(cols, users ? spec.empty_cols : spec.empty_rows);
  const int64_t all = spec.train_ratings + spec.test_ratings;
  std::vector<double> degrees = expected_degrees(users ? spec.user_degrees : spec.item_degrees,
                                                 filled_rows, all, filled_cols);
  degrees.resize(static_cast<size_t>(rows), 0);  // from the most rated to those without ratings
  const double share = static_cast<double>(spec.train_ratings) / static_cast<double>(all);
  return {rows, cols, spec.train_ratings, rank, quantiles_of(degrees, share), 0};
}

}  // namespace

DataShapes data_shapes(const DataRequest& request, int32_t rank) {
  const bool as_specified =
      request.uniform_row_length == 0 && request.empty_rows == 0 && request.empty_cols == 0;
  if (request.dataset.empty() || !as_specified)
    return data_shapes(cached_rating_set(request), rank);
  const DatasetSpec spec = scaled(dataset_spec(request.dataset), request.scale);
  return {side_shape(spec, true, rank), side_shape(spec, false, rank), spec.values.mean};
}

DataShapes data_shapes(const RatingSet& set, int32_t rank) {
  return {shape_of(set.by_user, rank), shape_of(set.by_item, rank), set.mean};
}

std::vector<float> distinct_ratings(const Array<float>& values, size_t most) {
  std::vector<float> all;
#pragma omp parallel  // cannot throw: both have room
  {
    std::vector<float> own;
    own.reserve(most + 1);
#pragma omp single
    all.reserve(2 * most + 2);
#pragma omp for schedule(static)
    for (int64_t i = 0; i < values.size(); ++i)
      if (own.size() <= most && std::find(own.begin(), own.end(), values[i]) == own.end())
        own.push_back(values[i]);
#pragma omp critical
    for (const float value : own)
      if (all.size() <= most && std::find(all.begin(), all.end(), value) == all.end())
        all.push_back(value);
  }
  std::sort(all.begin(), all.end());
  return all;
}

int32_t distinct_ratings_of(const Csr& ratings) {
  return static_cast<int32_t>(distinct_ratings(ratings.values, Int8Weights::kMost).size());
}

double damping_of(double lambda, double mean_rating) {
  constexpr double kLeastMean = 1e-30;
  return lambda / std::max(std::abs(mean_rating), kLeastMean);
}

}  // namespace alsbench
