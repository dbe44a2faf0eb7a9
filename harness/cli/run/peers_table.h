// SPDX-License-Identifier: Apache-2.0
// The table of other programs of `alsbench run`.
#pragma once

#include <string>
#include <vector>

#include "harness/record/case_record.h"

namespace alsbench {

// A row each, and below it what is doubtful of each.
std::string peers_table(const std::vector<const CaseRecord*>& records);

}  // namespace alsbench
