// SPDX-License-Identifier: Apache-2.0
// Outcome: what became of a case; wrong is a result with a class, never an abort, and never ranked.
#pragma once

#include "harness/record/fields/enum_names.h"

namespace alsbench {

enum class Outcome { ok, wrong, nan, crashed, hung, oom, launch_refused, compile_error, skipped };

constexpr auto enum_names(Outcome) {
  return std::to_array<EnumName<Outcome>>({{Outcome::ok, "ok"},
                                           {Outcome::wrong, "wrong"},
                                           {Outcome::nan, "nan"},
                                           {Outcome::crashed, "crashed"},
                                           {Outcome::hung, "hung"},
                                           {Outcome::oom, "oom"},
                                           {Outcome::launch_refused, "launch_refused"},
                                           {Outcome::compile_error, "compile_error"},
                                           {Outcome::skipped, "skipped"}});
}
constexpr bool failed(Outcome outcome) {  // neither ok nor skipped
  return outcome != Outcome::ok && outcome != Outcome::skipped;
}

}  // namespace alsbench
