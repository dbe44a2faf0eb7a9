// SPDX-License-Identifier: Apache-2.0
// One linear system of a solver or an update, and whether its solution is right.
#pragma once

#include "harness/stage/als/reference_rows.h"
#include "harness/stage/check.h"

namespace alsbench {

// A system with its inputs, its output and what the variant recorded.
struct CheckedSystem {
  int64_t row = 0;
  int64_t count = 0;  // n_u
  reference::Vector a, b, start, x;
  reference::Vector copy;  // of x, in the type of the factors; empty where none is kept
  int32_t steps = 0, status = 0;
  double diagonal = 1;  // lambda n_u of A, or lambda where A is A_u / n_u: no eigenvalue is less
  // Where the variant forms A and b itself: the maximum error of its sums. It is relative to
  // sqrt(a_ii a_jj) and to `magnitude` (of b: the sum of the terms' magnitudes).
  double input_error = 0;
  reference::Vector magnitude;
  // In what it then keeps A's sums, besides the diagonal.
  Scalar storage = Scalar::fp32;
  // Where those are of bytes and a variant rounds them without the scales (ReferenceRow).
  reference::Vector scales;
  double unit = 1;
};

// "row 17 (3 ratings)".
std::string describe(const CheckedSystem& system);

// Whether a configuration starts from the previous solution, which then must not be poisoned.
bool starts_warm(const Config& config);
// Solutions of the batch become NaN, so an unwritten one is seen; StageFixture::restore() puts the
// warm start back.
void poison_solutions(Device& device, const UpdateParams& params);
// The rows of a side's solutions.
DeviceRows solution_rows(const UpdateParams& params);
// Of systems in the batch that `params` describes: which of the batch's rows each one is.
std::vector<int64_t> items_of(const UpdateParams& params,
                              const std::vector<CheckedSystem>& systems);
// x, steps and status of rows that `params` has treated.
void download_solutions(Device& device, const UpdateParams& params,
                        std::vector<CheckedSystem>& systems);

// ||x - ref|| / ||ref||, `ref` the solution in double of `exact`, the same row's equations of
// factors that are not rounded: for CG, the iterate that it reaches in as many steps.
double distance_to_exact(const Variant& variant, const Config& config, const CheckedSystem& system,
                         const ReferenceRow& exact);

// Checks a direct solver by its residual. Checks CG (a configuration with `steps`) by the iterate
// of CG in double after the reported number of steps, and by its stopping point.
void check_system(const Variant& variant, const Config& config, const CheckedSystem& system,
                  RowCheck& check);

}  // namespace alsbench
