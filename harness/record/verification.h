// SPDX-License-Identifier: Apache-2.0
// Verification: whether a variant's output was right, and how far off its worst row was.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "harness/record/fields/enum_names.h"
#include "harness/record/fields/fields.h"
#include "harness/record/outcome.h"

namespace alsbench {

// Rules for variants that are measured (docs/explanation/measuring.md, "What a kernel
// cannot cheat").
enum class Rule {
  wrong_result,
  not_finite,
  steps_not_taken,
  stale_output,
  wrong_when_timed,
  late_work,
  input_changed,
  out_of_bounds_write,
  clock_mismatch,
  cache_set_aside
};
constexpr Outcome outcome_of(Rule rule) {
  return rule == Rule::not_finite ? Outcome::nan : Outcome::wrong;
}
// Memory that others share may be damaged: the process is not to go on.
constexpr bool damages(Rule rule) {
  return rule == Rule::input_changed || rule == Rule::out_of_bounds_write;
}
constexpr auto enum_names(Rule) {
  return std::to_array<EnumName<Rule>>({{Rule::wrong_result, "wrong-result"},
                                        {Rule::not_finite, "not-finite"},
                                        {Rule::steps_not_taken, "steps-not-taken"},
                                        {Rule::stale_output, "stale-output"},
                                        {Rule::wrong_when_timed, "wrong-when-timed"},
                                        {Rule::late_work, "late-work"},
                                        {Rule::input_changed, "input-changed"},
                                        {Rule::out_of_bounds_write, "out-of-bounds-write"},
                                        {Rule::clock_mismatch, "clock-mismatch"},
                                        {Rule::cache_set_aside, "cache-set-aside"}});
}

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
