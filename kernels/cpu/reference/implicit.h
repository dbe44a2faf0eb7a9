// SPDX-License-Identifier: Apache-2.0
// The oracle of the stages of implicit ALS: double, plain loops, one thread, on host memory.
// Factors are float.
#pragma once

#include "kernels/cpu/reference/reference.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench::reference {

// A_u and b_u of one row.
struct ImplicitRow {
  Vector a, b;
  Vector magnitude;  // per element of b: the sum of c |theta_i|, what its error is relative to
};
// Of row `row` of the ratings; neither batches nor outputs are read.
ImplicitRow implicit_row(const ImplicitParams& params, int64_t row);
// The same where the sums are of factor rows times the roots of their weights, both rounded
// (kernels/shared/implicit_weights.h). Factors are of the type that `round` rounds to.
ImplicitRow weighted_implicit_row(const ImplicitParams& params, int64_t row, float (*round)(float));
// The same where the factors are weighted rows as they are summed, and ratings what b_u multiplies
// them by (kernels/shared/byte_factors.h).
ImplicitRow summed_implicit_row(const ImplicitParams& params, int64_t row);

struct ImplicitLoss {
  double loss = 0, square = 0, confidence = 0;  // as ImplicitLossParams
  // The unit of their errors: the change that relative errors of dot products and of confidence
  // make at most.
  double loss_magnitude = 0, square_magnitude = 0;
};
// Over the rows [first, last).
ImplicitLoss implicit_loss(const ImplicitLossParams& params, int64_t first, int64_t last);

}  // namespace alsbench::reference
