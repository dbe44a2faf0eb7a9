// SPDX-License-Identifier: Apache-2.0
// Two sides judged case by case, and what follows for the whole. `compare`, `ab` and `aa` make a
// Comparison of it. docs/explanation/comparing.md has the rules.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/comparison_input.h"
#include "harness/record/comparison_record.h"

namespace alsbench {

// Throws BaselineError where the environments differ (unless rules.cross_environment) or no case of
// the base is a case of the test.
Comparison compare(const ComparisonInput& base, const ComparisonInput& test, const Rules& rules);

// Whether the times of the files say that launches of both sides alternated: at least as often as
// in ABBA blocks.
bool measured_in_turn(const ComparisonInput& base, const ComparisonInput& test);
// The same of files that may have several launches each, which are no turns: such a file becomes
// one launch. False where that leaves too few to find one slow case.
bool take_turns(ComparisonInput& base, ComparisonInput& test, const Rules& rules);

// Finds the causes of every case that both sides have, and lists missing counters. compare() has
// called it. Call it again after counters were added.
void explain(Comparison& comparison, const ComparisonInput& base, const ComparisonInput& test);

bool moved(const CaseComparison& control);  // slower or faster
Conclusion conclusion_of(const Comparison& comparison);
// Why it is unfit, a clause each: "the control copy is 3.1 % slower: the machine was not quiet".
// Empty where none of the reasons holds, whatever the conclusion is.
std::vector<std::string> reasons_unfit(const Comparison& comparison);

// Missing, failed and new cases before compared ones, those by effect, the worst first.
void sort_findings_first(std::vector<CaseComparison>& cases);

}  // namespace alsbench
