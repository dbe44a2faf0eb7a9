// SPDX-License-Identifier: Apache-2.0
// The number of comparable cases of a plan on this machine, and the message where so many need more
// launches. Rule: docs/explanation/comparing.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/sweep/suite/case.h"

namespace alsbench {

// Why a case cannot run here, as far as rank and device tell; the data may object to more.
std::string early_objection(const Case& c, const std::string& cuda_unavailable);

// Those that can run here: a training is one, a measurement one in each cache mode. Other programs
// are none, since no build of ours makes them faster.
int64_t comparable_cases(const std::vector<Case>& cases, const std::string& cuda_unavailable);

// "ci has 22 cases: 8 launches per side are needed".
std::string launches_text(const std::string& suite, int64_t cases, int64_t needed);

}  // namespace alsbench
