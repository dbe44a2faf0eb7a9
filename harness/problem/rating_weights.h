// SPDX-License-Identifier: Apache-2.0
// RatingWeights: how ratings weigh factors that are signed bytes, in implicit ALS. The factors are
// stored once for each distinct rating, times the root of its weight alpha r. A rating names the
// row of its own, so the sums are those of explicit ALS.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/problem/rating_cells.h"
#include "kernels/shared/byte_factors.h"

namespace alsbench {

class RatingWeights {
 public:
  // Throws ObjectionError where the matrix has more distinct ratings than Int8Weights holds.
  RatingWeights(const Csr& ratings, float alpha);

  const Int8Weights& roots() const { return roots_; }
  // Of a rating of the matrix, the row of the copy where the factors are row `index`.
  int32_t row(int32_t index, float rating) const;
  // Target in place of the rating: (1 + alpha r) over the root; 0 for one that is not above 0.
  float target(float rating) const;
  float largest_target() const;

 private:
  size_t number_of(float rating) const;

  std::vector<float> ratings_, targets_;  // ascending; of each
  Int8Weights roots_;
};

// The ratings of one side, with rows of the copy for indices and targets for values.
struct WeightedRatings {
  RatingCells cells;
  RatingsView view;
};
// `view`: of the same matrix. Waits. Throws OutOfMemoryError, and ObjectionError where the rows of
// the copy are more than 32 bits count.
WeightedRatings weighted_ratings(Device& device, const Csr& ratings, RatingsView view,
                                 const RatingWeights& weights);

}  // namespace alsbench
