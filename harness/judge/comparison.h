// SPDX-License-Identifier: Apache-2.0
// Comparison: two sides judged case by case, and what follows for the whole. `compare`, `ab` and
// `aa` make one; exporters and the history read it. docs/explanation/comparing.md has the rules.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/causes.h"
#include "harness/judge/comparison_input.h"
#include "harness/judge/kernel_resources.h"

namespace alsbench {

struct Rules {
  double bound = 0.005;            // relative change of time that matters; 0.01 = 1 %
  double alpha = 0.01;             // of the adjusted p; intervals have confidence 1 - alpha
  double metric_bound = 0.001;     // relative rise of a training's metric that matters
  double memory_bound = 0.01;      // relative rise of the peak of device memory that matters
  double max_undecided = 0.1;      // share of the cases above which the whole is undecided
  bool cross_environment = false;  // compare although the environments differ; marks every row
  int64_t family = 0;  // tests that p is adjusted for; 0: as many as there are cases to compare
};

enum class Verdict {
  same,         // the interval lies inside the bound
  faster,       // the interval lies beyond the bound, the adjusted p is below alpha, and the effect
                // is clear of the noise
  slower,       // likewise
  undecided,    // neither; `reason` says what it would take
  environment,  // faster or slower, but for a reason that is not the code
  missing,      // not on the test side
  added,        // not on the base side; written "new"
  failed,       // crashed, hung, oom, ... on the test side
  wrong,        // wrong or NaN on the test side
};
std::string_view name_of(Verdict verdict);

enum class SameCode { unknown, same, changed };
std::string_view name_of(SameCode code);

struct CaseComparison {
  std::string name = {};
  CaseRole role = CaseRole::kernel;
  std::string device = {};
  Verdict verdict = Verdict::undecided;
  // What time alone says, before code and canaries are looked at: same, faster, slower, undecided.
  Verdict time_verdict = Verdict::undecided;
  std::string reason = {};  // why it is undecided, environment, failed, ...
  int64_t base_launches = 0, test_launches = 0;
  double base_seconds = 0, test_seconds = 0;  // medians of the launches; 0 where there are none
  int64_t base_disturbed = 0, test_disturbed = 0;   // launches that other work made longer
  double ratio = 1, ratio_low = 0, ratio_high = 0;  // test / base; 0 and infinity: no interval
  double p = 1, adjusted_p = 1;
  // So few that it could not be told slower or faster, were it the only one.
  bool too_few_launches = false;
  int64_t launches_needed = 0;  // of each side, to be able to decide; 0: enough, or not known
  SameCode code = SameCode::unknown;
  std::vector<FigureChange> figures = {};
  // Why it is slower or faster; empty where the records do not tell.
  std::vector<Cause> causes = {};

  bool compared() const { return base_launches > 0 && test_launches > 0; }
  bool disturbed() const { return base_disturbed > 0 || test_disturbed > 0; }
  // Of one launch a side: nothing is known of chance.
  bool plain_difference() const { return base_launches == 1 && test_launches == 1; }
  bool regressed() const;  // slower, or a figure is worse
  // What could still be a regression: undecided, unless the code is the same; also environment.
  bool open() const;
};

struct Comparison {
  Rules rules;
  std::string base, test;                 // sources
  std::vector<std::string> differences;   // of the environments; not empty only with --cross-env
  std::vector<std::string> not_compared;  // gated figures that a side does not have, and which side
  std::vector<std::string> disturbed;     // how many medians of a side other work made longer
  std::vector<CaseComparison> cases;      // findings first, then by effect, the worst first
  std::vector<CaseComparison> canaries;   // pooled by kind
};

// Throws BaselineError where the environments differ (unless rules.cross_environment) or no case of
// the base is a case of the test.
Comparison compare(const ComparisonInput& base, const ComparisonInput& test, const Rules& rules);

// Looks for the causes of every case that both sides have, and says where counters are missing that
// were wanted. compare() has done so; again, after counters were added.
void explain(Comparison& comparison, const ComparisonInput& base, const ComparisonInput& test);

// What the whole comes to, the gravest first: `alsbench` makes it its exit code.
enum class Conclusion {
  failed,      // a case failed or vanished
  regression,  // a case is slower, or a gated figure worse
  unfit,       // canaries moved, too much is undecided, or nothing could be compared
  clean,
};
std::string_view name_of(Conclusion conclusion);
bool moved(const CaseComparison& canary);  // slower or faster
Conclusion conclusion_of(const Comparison& comparison);
// Why it is unfit, a clause each: "the canary copy is 3.1 % slower: the machine was not quiet".
// Empty where none of the reasons holds, whatever the conclusion is.
std::vector<std::string> reasons_to_doubt(const Comparison& comparison);

// Missing, failed and new cases before compared ones, those by effect, the worst first.
void sort_findings_first(std::vector<CaseComparison>& cases);

}  // namespace alsbench
