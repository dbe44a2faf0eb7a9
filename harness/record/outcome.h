// SPDX-License-Identifier: Apache-2.0
// Outcome: what became of a case; wrong is a result with a class, never an abort, and never ranked.
#pragma once

#include "harness/record/fields/enum_names.h"

namespace alsbench {

enum class Outcome { ok, wrong, nan, crashed, hung, oom, launch_refused, compile_error, skipped };

constexpr bool failed(Outcome outcome) {  // neither ok nor skipped
  return outcome != Outcome::ok && outcome != Outcome::skipped;
}

}  // namespace alsbench
