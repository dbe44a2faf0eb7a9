// SPDX-License-Identifier: Apache-2.0
// Causes: why the time of a case changed, as far as the records of both sides tell. A record may
// not tell: then there is no cause, and none is guessed.
#pragma once

#include <vector>

#include "harness/record/comparison_record.h"

namespace alsbench {

struct ComparisonCase;

// Whether other work took part in most launches of the longer side and in few of the shorter one.
bool slowed_by_contention(const CaseComparison& c);

// The causes that fit the direction of the change: those outside the code first, then those of the
// code, then those of counters. Of these the first is that whose unit is busy for the most time
// more, or less. Of a case whose time is not seen to have moved there are none. `control` is what
// moved the same way, or null.
std::vector<Cause> causes_of(const CaseComparison& c, const CaseComparison* control,
                             const ComparisonCase& base, const ComparisonCase& test);

}  // namespace alsbench
