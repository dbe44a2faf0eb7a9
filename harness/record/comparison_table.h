// SPDX-License-Identifier: Apache-2.0
// A comparison as a table and in words. Findings come first, then the order is by effect.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/record/comparison_record.h"
#include "harness/record/tables.h"

namespace alsbench {

// One row a case: verdict, times, effect in %, interval, adjusted p, launches, code, name, remarks.
Table comparison_table(const Comparison& comparison);
// The controls in the same columns.
Table control_table(const Comparison& comparison);

// "faster", "same, worse (cross-env)".
std::string verdict_cell(const CaseComparison& c);
// The median of a side in ms, or of another quantity than time with its unit.
std::string median_cell(const CaseComparison& c, Build build);

// "3 slower, 1 undecided, 20 same".
std::string counts_text(const Comparison& comparison);
// "other hardware or driver"
std::string_view story_text(StoryKind kind);
// The evidence of each by how it is announced, "story: real change" or "beside it: noise".
std::vector<std::pair<std::string, std::string>> told_stories(const std::vector<Story>& stories);
// "there is a regression"
std::string_view conclusion_text(Conclusion conclusion);

}  // namespace alsbench
