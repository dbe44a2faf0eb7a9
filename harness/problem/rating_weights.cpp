// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/rating_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "base/error.h"
#include "harness/data/array_builder.h"
#include "harness/data/data_shape.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

RatingWeights::RatingWeights(const Csr& ratings, float alpha)
    : ratings_(distinct_ratings(ratings.values, Int8Weights::kMaxValue)) {
  if (ratings_.size() > Int8Weights::kMaxValue)
    throw ObjectionError(fmt::format(
        "signed bytes store the factors once for each distinct rating, and the set has more than "
        "{}; use factors=fp16",
        Int8Weights::kMaxValue));
  roots_.count = std::max(1, static_cast<int32_t>(ratings_.size()));
  for (size_t i = 0; i < ratings_.size(); ++i) {
    const float added = added_confidence(ratings_[i], alpha), root = std::sqrt(added);
    roots_.values[i] = root;
    targets_.push_back(root > 0 ? (1 + added) / root : 0);
  }
}

size_t RatingWeights::number_of(float rating) const {
  return static_cast<size_t>(std::lower_bound(ratings_.begin(), ratings_.end(), rating) -
                             ratings_.begin());
}

int32_t RatingWeights::row(int32_t index, float rating) const {
  return index * roots_.count + static_cast<int32_t>(number_of(rating));
}

float RatingWeights::target(float rating) const { return targets_[number_of(rating)]; }

float RatingWeights::largest_target() const {
  return targets_.empty() ? 0 : *std::ranges::max_element(targets_);
}

WeightedRatings weighted_ratings(Device& device, const Csr& ratings, RatingsView view,
                                 const RatingWeights& weights) {
  Csr weighted{ratings.rows, ratings.cols * weights.roots().count, ratings.offsets, {}, {}};
  if (weighted.cols > INT32_MAX)
    throw ObjectionError(fmt::format(
        "signed bytes store {} rows of factors once for each of {} distinct ratings, more than 32 "
        "bits count; use factors=fp16",
        ratings.cols, weights.roots().count));
  ArrayBuilder<int32_t> rows(ratings.nnz());
  ArrayBuilder<float> targets(ratings.nnz());
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t i = 0; i < ratings.nnz(); ++i) {
    rows[i] = weights.row(ratings.indices[i], ratings.values[i]);
    targets[i] = weights.target(ratings.values[i]);
  }
  weighted.indices = rows.freeze();
  weighted.values = targets.freeze();
  WeightedRatings result{uploaded_cells(device, weighted, 0, weighted.nnz()), view};
  result.view = with_cells(view, result.cells, 0, weighted.nnz());
  result.view.cols = weighted.cols;
  result.view.half_scale =
      std::bit_cast<float>(half_scale_bits(std::bit_cast<uint32_t>(weights.largest_target())));
  return result;
}

}  // namespace alsbench
