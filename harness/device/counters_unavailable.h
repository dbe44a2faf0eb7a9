// SPDX-License-Identifier: Apache-2.0
// CountersUnavailable: a device that cannot count says why, and what helps.
#pragma once

#include <stdexcept>
#include <string>

#include "harness/record/counters.h"

namespace alsbench {

struct CountersUnavailable : std::runtime_error {
  CountersUnavailable(CountersFailureKind why, const std::string& detail, const std::string& remedy)
      : std::runtime_error(detail), refusal{why, detail, remedy} {}
  CountersFailure refusal;
};

}  // namespace alsbench
