// SPDX-License-Identifier: Apache-2.0
// Drift of a machine between two runs that were measured one after the other.
#pragma once

#include <vector>

#include "harness/record/comparison_record.h"

namespace alsbench {

// Makes a slower or faster case undecided where a drift may be the reason: its interval lies beyond
// the bound by no more than the controls of its device allow for, or 5 % without such controls.
void allow_for_drift(CaseComparison& c, const std::vector<CaseComparison>& controls,
                     const Rules& rules);

}  // namespace alsbench
