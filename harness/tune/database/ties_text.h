// SPDX-License-Identifier: Apache-2.0
// How the ties of a choice are shown to people: by the settings that differ from it.
#pragma once

#include <string>
#include <vector>

#include "harness/record/pipeline_record.h"

namespace alsbench {

// A line for each of `ties` except the pick itself, begun by `indent`. A tie of the same variants
// is shown as "tied with the same, but stages=3,warps=1", any other by its whole text. Empty
// without ties.
std::string ties_text(const std::vector<StepRecord>& pick,
                      const std::vector<std::vector<StepRecord>>& ties, const std::string& indent);

}  // namespace alsbench
