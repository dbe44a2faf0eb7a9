// SPDX-License-Identifier: Apache-2.0
// A comparison as a document.
#pragma once

#include "harness/judge/comparison.h"
#include "harness/judge/screen_and_confirm.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

// With the provenance of this process. `comparison` has the names of its files or programs without
// their folders.
ComparisonDocument document_of(Procedure procedure, Comparison comparison, Conclusion conclusion);

DesignRecord record_of(const TwoPhaseDesign& design);
DesignRecord record_of(const TwoPhaseDesign& design, const Suite& suite);

}  // namespace alsbench
