// SPDX-License-Identifier: Apache-2.0
// A comparison as JSON (results/schema/comparison.schema.json) and as a table. Findings come first,
// then the order is by effect.
#pragma once

#include "harness/judge/comparison.h"
#include "harness/judge/screen_and_confirm.h"
#include "harness/record/journal.h"
#include "harness/record/tables.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

inline constexpr std::string_view kComparisonSchemaVersion = "1.7.0";

// The whole document of `procedure` ("compare", "ab", "aa"); `conclusion` is that of the comparison
// or "interrupted".
Json to_json(const Comparison& comparison, std::string_view procedure, std::string_view conclusion);

// What was launched, and how: {"suite", "suite_hash", "seed", "screening_launches", ...}.
Json to_json(const TwoPhaseDesign& design, const Suite& suite);

// One row a case: verdict, times, effect in %, interval, adjusted p, code, name and remarks.
Table comparison_table(const Comparison& comparison);
// The canaries in the same columns.
Table canary_table(const Comparison& comparison);

// "3 slower, 1 undecided, 20 same".
std::string counts_text(const Comparison& comparison);

}  // namespace alsbench
