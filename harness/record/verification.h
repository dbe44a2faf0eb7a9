// SPDX-License-Identifier: Apache-2.0
// Verification: whether a variant's output was right, and how far off its worst row was.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "harness/record/fields/fields.h"
#include "harness/record/outcome.h"
#include "harness/record/rule.h"

namespace alsbench {

struct Verification {
  Outcome outcome = Outcome::skipped;  // ok, wrong or nan
  double max_error = 0;  // of the row nearest to, or farthest beyond, its tolerance: relative, in
                         // the stage's measure (check.h)
  double mean_error = 0;
  double tolerance = 0;      // that row's: derived from storage types and row length (tolerance.h)
  double storage_error = 0;  // the largest of all rows, against the reference on factors that are
                             // not rounded to the configuration's storage type; 0 where none is
  double max_residual = 0;   // solve: ||b - A x|| / ||b||
  double mean_solver_steps = 0;
  int64_t rows_checked = 0;
  std::string detail;        // the first wrong row, with both values
  std::optional<Rule> rule;  // that the variant broke, where it is not right
};

void describe(Fields<Verification>& fields);

}  // namespace alsbench
