// SPDX-License-Identifier: Apache-2.0
// Arguments of the stages of CCD++ (Yu, Hsieh, Si, Dhillon, Scalable coordinate descent approaches
// to parallel matrix factorization for recommender systems, ICDM 2012, algorithm 2): a feature is a
// rank-one problem of its own, with all other features fixed. docs/explanation/ccd.md derives the
// formulas.
#pragma once

#include "kernels/shared/views.h"

namespace alsbench {

// A row's values of two features. Residuals know the last feature as it was before its updates.
struct alignas(16) CcdValues {
  float last_before = 0, last_after = 0;  // of the last feature: before its updates, and after them
  float before = 0, now = 0;              // of this feature: before its updates, and now
};

// A row's ratings are [begin, begin + count).
struct RowBin {
  int64_t begin = 0;
  int32_t row = 0;
  int32_t count = 0;
};

// The rows that have ratings: long ones, which a block of threads shares, then all others.
struct RowBinsView {
  const RowBin* rows = nullptr;
  int64_t long_rows = 0;
  int64_t count = 0;
};

// ccd_update: this feature of one side. For each row i with ratings, over its columns j:
//   r_ij += last_before_i last_before_j - last_after_i last_after_j           where `first` is not
//   0 now_i = sum (r_ij + before_i before_j) now_j / (lambda n_i + sum now_j^2)
// Where the divisor is 0, now_i = before_i. Rows without ratings keep their values.
struct CcdUpdateParams {
  RatingsView ratings;                // of the side being updated
  float* residuals = nullptr;         // nnz, in their order: in, and out where `first` is not 0
  CcdValues* own = nullptr;           // ratings.rows: `now` is written
  const CcdValues* others = nullptr;  // ratings.cols
  RowBinsView bins;                   // CUDA
  float lambda = 0;                   // before the weighting by n_i
  int32_t first = 0;                  // the side's first update of this feature
};

// ccd_next: a side moves on to another feature. Each row's `now` goes to the factors' feature
// `last`, where that is not negative; this feature becomes the last one, and `next` this one.
struct CcdNextParams {
  FactorsView factors;          // float
  CcdValues* values = nullptr;  // factors.rows
  int32_t last = -1;
  int32_t next = 0;
};

}  // namespace alsbench
