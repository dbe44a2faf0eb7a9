// SPDX-License-Identifier: Apache-2.0
// A comparison as a document and as a table. Findings come first, then the order is by effect.
#pragma once

#include "harness/judge/comparison.h"
#include "harness/judge/screen_and_confirm.h"
#include "harness/record/tables.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

// With the provenance of this process. `comparison` has the names of its files or programs without
// their folders.
ComparisonDocument document_of(Procedure procedure, Comparison comparison, Conclusion conclusion);

DesignRecord record_of(const TwoPhaseDesign& design, const Suite& suite);

// One row a case: verdict, times, effect in %, interval, adjusted p, code, name and remarks.
Table comparison_table(const Comparison& comparison);
// The controls in the same columns.
Table control_table(const Comparison& comparison);

// "3 slower, 1 undecided, 20 same".
std::string counts_text(const Comparison& comparison);

}  // namespace alsbench
