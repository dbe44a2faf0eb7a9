// SPDX-License-Identifier: Apache-2.0
// Rule: what a variant that is measured must not do (docs/explanation/measuring.md, "What a kernel
// cannot cheat").
#pragma once

#include <array>

#include "harness/record/fields/enum_names.h"
#include "harness/record/outcome.h"

namespace alsbench {

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

}  // namespace alsbench
