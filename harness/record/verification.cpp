// SPDX-License-Identifier: Apache-2.0
#include "harness/record/verification.h"

#include "harness/record/fields/fields.h"

namespace alsbench {

void describe(Fields<Verification>& fields) {
  fields.record("verification", "The check before the timing, or after it.");
  fields("outcome", &Verification::outcome);
  fields("max_error", &Verification::max_error,
         "relative, of the row nearest to, or farthest beyond, its tolerance")
      .nullable()
      .column("error");
  fields("mean_error", &Verification::mean_error).nullable();
  fields("tolerance", &Verification::tolerance, "that row's").nullable().column();
  fields("storage_error", &Verification::storage_error,
         "the largest of all rows, against the reference on factors that are not rounded")
      .nullable();
  fields("max_residual", &Verification::max_residual).nullable();
  fields("mean_solver_steps", &Verification::mean_solver_steps).nullable();
  fields("rows_checked", &Verification::rows_checked).range(Range::Kind::from_0);
  fields("detail", &Verification::detail, "the first wrong row, with both values");
  fields("rule", &Verification::rule, "of honest measurement, that the variant broke").omitted();
}

}  // namespace alsbench
