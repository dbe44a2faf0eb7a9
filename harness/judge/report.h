// SPDX-License-Identifier: Apache-2.0
// A comparison as a document, with its story.
#pragma once

#include <vector>

#include "harness/judge/comparison.h"
#include "harness/judge/screen_and_confirm.h"
#include "harness/record/comparison_record.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

// With the provenance of this process. `comparison` has the names of its files or programs without
// their folders.
ComparisonDocument document_of(Procedure procedure, Comparison comparison, Conclusion conclusion);

DesignRecord record_of(const TwoPhaseDesign& design);
DesignRecord record_of(const TwoPhaseDesign& design, const Suite& suite);

// The story of a comparison: a real change, a changed method, another machine, too few launches or
// noise. The likeliest first, each kind at most once; at least one. What the sides do not share
// comes before what their times say, as times can tell of nothing else then.
std::vector<Story> stories_of(const Comparison& comparison);

}  // namespace alsbench
