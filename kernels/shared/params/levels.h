// SPDX-License-Identifier: Apache-2.0
// Arguments of the stages of ALS with biases: centre and level_columns. A row's level is its bias,
// and of users the mean rating as well (docs/explanation/biases.md).
#pragma once

#include "kernels/shared/views.h"

namespace alsbench {

// values[k] = rating k - mean - the level of its column, for all ratings.
struct CentreParams {
  RatingsView ratings;
  const float* levels = nullptr;  // ratings.cols
  float mean = 0;
  float* values = nullptr;  // ratings.nnz
};

// Two columns of the factors of a side: in `own` the side's bias terms, in `other` a factor of the
// other side's. Rows without ratings are left as they are.
struct LevelColumnsParams {
  FactorsView factors;               // float
  const int64_t* offsets = nullptr;  // factors.rows + 1: of the side's ratings
  float* levels = nullptr;           // factors.rows
  int32_t own = 0;
  int32_t other = 0;
  int32_t takes = 0;     // not 0: first, level = value in `own` + shift
  float shift = 0;       // the mean of users, 0 of items
  float own_weight = 0;  // `own` is set to own_weight (level - own_shift)
  float own_shift = 0;
  float other_value = 0;  // `other` is set to this
};

}  // namespace alsbench
