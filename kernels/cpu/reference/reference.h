// SPDX-License-Identifier: Apache-2.0
// The oracle: every stage in double with plain loops on one thread, on host memory. The verifier
// judges all backends by it; it is never a performance variant. Factors are float.
#pragma once

#include <vector>

#include "kernels/shared/params/als.h"
#include "kernels/shared/params/metric.h"

namespace alsbench::reference {

using Vector = std::vector<double>;  // a matrix is rank x rank, row-major

// A_u of row u; the identity for an empty row.
Vector normal_matrix(const RatingsView& ratings, const FactorsView& factors, float lambda,
                     int64_t row);
// A_u with its sums as halves have them, of whatever scale, besides `diagonal`, which is lambda
// n_u.
Vector with_rounded_sums(Vector matrix, double diagonal);
// The same where the sums are multiples of `unit` before row i and column i are multiplied by
// scales[i]: the multiples are rounded, many of which lie half way between two halves.
Vector with_rounded_multiples(Vector matrix, double diagonal, const Vector& scales, double unit);
// b_u of row u.
Vector right_hand_side(const RatingsView& ratings, const FactorsView& factors, int64_t row);

// The solution by Cholesky; NaNs when A is not positive definite.
Vector solve(Vector a, Vector b);

struct CgResult {
  Vector x;
  int steps = 0;
  double residual = 0;           // ||r|| after the last step
  double previous_residual = 0;  // before it; the first residual when there was no step
};
// When it stops, at ||r|| <= tolerance ||b|| at the latest; and the diagonal that it is
// preconditioned by (Jacobi), empty: none.
struct CgSettings {
  int steps = 0;  // at most
  double tolerance = 0;
  Vector diagonal = {};
};
// Conjugate gradients from x0: the paper's Algorithm 1 with the residual update r - alpha A p.
CgResult conjugate_gradient(const Vector& a, const Vector& b, Vector x0,
                            const CgSettings& settings);
// The same recurrence in float, without a tolerance: how far rounding takes the iterates.
Vector conjugate_gradient_in_float(const Vector& a, const Vector& b, const Vector& x0,
                                   const CgSettings& settings);

Vector diagonal_of(const Vector& matrix);

struct SquaredErrors {
  double sum = 0;
  int64_t cold = 0;
  double magnitude = 0;  // sum of |e| (|r| + sum |x_i theta_i|): what rounding is relative to
};
// The stage rmse over the rows [first, last), on host pointers.
SquaredErrors squared_errors(const RmseParams& params, int64_t first, int64_t last);

Vector multiply(const Vector& a, const Vector& x);
double norm(const Vector& v);

}  // namespace alsbench::reference
