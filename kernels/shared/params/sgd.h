// SPDX-License-Identifier: Apache-2.0
// Arguments of the stage sgd_epoch: stochastic gradient descent over all ratings once. A rating r
// of row i and column j moves both factors by its own gradient (Xie et al., CuMF_SGD, HPDC 2017,
// section 2; arXiv:1610.05838):
//   e = r - x_i . theta_j      x_i += rate (e theta_j - lambda x_i)
//                              theta_j += rate (e x_i - lambda theta_j)
// Both right-hand sides read the factors from before the update.
#pragma once

#include "kernels/shared/views.h"

namespace alsbench {

// Ratings in the order in which an epoch reads them. Rows are the side whose ratings lie together.
struct RatingListView {
  const int32_t* rows = nullptr;  // count
  const int32_t* cols = nullptr;  // count
  const float* values = nullptr;  // count
  int64_t count = 0;
  // Where they are cut into a grid x grid matrix of blocks: block (i, j) has the ratings
  // [blocks[i grid + j], blocks[i grid + j + 1]), and no row or column is in two blocks of one
  // diagonal. Null and 0 elsewhere.
  const int64_t* blocks = nullptr;
  int32_t grid = 0;
};

struct SgdParams {
  RatingListView ratings;
  FactorsView row_factors;  // in and out, in the type that `factors` names
  FactorsView col_factors;  // the same
  float lambda = 0;
  float rate = 0;
  int32_t* workspace = nullptr;  // CUDA: as much as the plan asked for, zero where it says so
};

// Blocks of a diagonal have no row or column in common. In step s worker w has this column block.
ALSBENCH_HOST_DEVICE constexpr int32_t column_block(int32_t worker, int32_t step, int32_t grid) {
  return (worker + step) % grid;
}

}  // namespace alsbench
