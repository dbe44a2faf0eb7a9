// SPDX-License-Identifier: Apache-2.0
// CountersRefused: a device that cannot count says why, and what helps.
#pragma once

#include <stdexcept>
#include <string>

#include "harness/record/counters.h"

namespace alsbench {

struct CountersRefused : std::runtime_error {
  CountersRefused(NoCounters why, const std::string& detail, const std::string& remedy)
      : std::runtime_error(detail), refusal{why, detail, remedy} {}
  CountersRefusal refusal;
};

}  // namespace alsbench
