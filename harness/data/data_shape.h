// SPDX-License-Identifier: Apache-2.0
// The shapes of a data set's two sides without its ratings, where that can be: generated sets say
// theirs in their specification. For what depends on shapes alone, such as look-ups of tuning
// results.
#pragma once

#include "harness/data/dataset.h"
#include "harness/data/side.h"
#include "variants/core/stage.h"

namespace alsbench {

struct DataShapes {
  Shape x;          // rows are users
  Shape theta;      // rows are items
  double mean = 0;  // of the ratings
  const Shape& of(Side side) const { return side == Side::x ? x : theta; }
};

// For a generated set: the specification's sizes, with row lengths as its distributions expect
// them. For a file: its content, which is loaded, or mapped from the cache. Throws UsageError.
DataShapes data_shapes(const DataRequest& request, int32_t rank);
// The different ratings, ascending; one more than `maximum` of them where there are more.
std::vector<float> distinct_ratings(const Array<float>& values, size_t maximum);
// Shape::distinct_ratings of a matrix.
int32_t distinct_ratings_of(const Csr& ratings);
// Shape::damping of these.
double damping_of(double lambda, double mean_rating);
// Of ratings that are there.
DataShapes data_shapes(const RatingSet& set, int32_t rank);

}  // namespace alsbench
