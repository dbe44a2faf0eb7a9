// SPDX-License-Identifier: Apache-2.0
// What `alsbench run` prints of other programs.
#pragma once

#include <string>
#include <vector>

#include "harness/record/case_record.h"

namespace alsbench {

// A row each, and below it what is doubtful of each.
std::string peers_table(const std::vector<const CaseRecord*>& records);

}  // namespace alsbench
