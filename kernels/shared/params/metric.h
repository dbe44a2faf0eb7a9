// SPDX-License-Identifier: Apache-2.0
// Arguments of the stages that measure a model. Every kernel of a stage, CUDA or CPU, takes them by
// value.
#pragma once

#include "kernels/shared/partials.h"
#include "kernels/shared/types.h"
#include "kernels/shared/views.h"

namespace alsbench {

// The stage rmse: sum of (r - x . theta)^2 over `ratings` (train or test, user side).
// A cell counts as `cold` and is predicted by `mean` where train_rows or train_cols says its side
// has no training rating.
struct RmseParams {
  RatingsView ratings;
  FactorsView x;                               // float, ratings.rows rows
  FactorsView theta;                           // float, ratings.cols rows
  const int64_t* train_row_offsets = nullptr;  // training CSR offsets: an empty row has no factor
  const int64_t* train_col_offsets = nullptr;  // the same of the item side
  float mean = 0;                              // training mean
  Partials partials;
  double* partial_sums = nullptr;   // kRmsePartials sums of squared errors
  int64_t* partial_cold = nullptr;  // kRmsePartials counts of cold cells
};
inline constexpr int kRmsePartials = Partials::kCount;

}  // namespace alsbench
