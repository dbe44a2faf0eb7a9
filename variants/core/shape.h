// SPDX-License-Identifier: Apache-2.0
// Shape: all of a problem that plans, objections, rules and the tuning database may depend on.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/shared/views.h"
#include "variants/core/config.h"

namespace alsbench {

struct Shape {
  int64_t rows = 0;  // of the side being updated
  int64_t cols = 0;
  int64_t nnz = 0;
  int32_t rank = 0;
  // Row lengths at the quantiles 0, 0.25, 0.5, 0.75, 0.9, 0.99 and 1.
  std::array<int64_t, 7> row_length_quantiles{};
  int64_t batch_rows = 0;  // rows a launch treats at most; 0: all
  // Lambda over the magnitude of the mean rating, which says how near to singular A_u may be;
  // negative: not known.
  double damping = -1;
  // How many different ratings there are, counted up to Int8Weights::kMaxValue + 1; 0: not known.
  int32_t distinct_ratings = 0;
  bool negative_weights = false;  // ratings may weigh less than nothing, and then have no root
  // Of a problem that has sizes in place of ratings, by name: "M=512,N=512".
  Config sizes = {};

  int64_t launch_rows() const { return batch_rows > 0 && batch_rows < rows ? batch_rows : rows; }
  int64_t longest_row() const { return row_length_quantiles.back(); }
  double mean_row_length() const {
    return rows > 0 ? static_cast<double>(nnz) / static_cast<double>(rows) : 0;
  }
};

}  // namespace alsbench
