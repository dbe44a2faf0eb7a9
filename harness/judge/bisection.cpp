// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/bisection.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace alsbench {
namespace {

const CaseComparison* slowest_case(const Comparison& comparison) {
  const CaseComparison* slowest = nullptr;
  for (const CaseComparison& c : comparison.cases)
    if (c.verdict == Verdict::slower && (slowest == nullptr || c.ratio > slowest->ratio))
      slowest = &c;
  return slowest;
}

ProbeResult result_of(const CaseComparison& c) {
  if (c.verdict == Verdict::slower) return ProbeResult::bad;
  if (c.verdict == Verdict::same || c.verdict == Verdict::faster) return ProbeResult::good;
  // Equal machine code is equally fast.
  return c.compared() && c.code == SameCode::same ? ProbeResult::good : ProbeResult::inconclusive;
}

class CommitSearch {
 public:
  CommitSearch(size_t commits, const TwoPhaseDesign& design, const CompareCommit& compare)
      : design_(design), compare_(compare), asked_(commits, false) {}

  Bisection run() {
    const size_t last = asked_.size() - 1;
    result_.first_bad = last;
    result_.whole = compare_(last, design_, "");
    const CaseComparison* slowest = slowest_case(result_.whole);
    if (slowest == nullptr) return std::move(result_);
    result_.case_name = slowest->name;
    result_.ratio = slowest->ratio;
    result_.probes.push_back(
        {last, ProbeResult::bad, "", slowest->ratio, slowest->ratio_low, slowest->ratio_high});
    design_.rules.bound = std::sqrt(slowest->ratio) - 1;
    while (const std::optional<size_t> next = middle()) ask(*next);
    return std::move(result_);
  }

 private:
  // The commit nearest to the middle of those in question that was not asked.
  std::optional<size_t> middle() const {
    const size_t low = result_.last_good, high = result_.first_bad;
    const auto distance = [&](size_t commit) {
      return std::abs(static_cast<double>(2 * commit) - static_cast<double>(low + high));
    };
    std::optional<size_t> best;
    for (size_t commit = low + 1; commit < high; ++commit)
      if (!asked_[commit] && (!best || distance(commit) < distance(*best))) best = commit;
    return best;
  }

  void ask(size_t commit) {
    asked_[commit] = true;
    Probe probe = compared(commit, design_);
    if (probe.result == ProbeResult::inconclusive && probe.ratio > 0) {
      TwoPhaseDesign longer = design_;
      longer.max_launches *= 2;
      probe = compared(commit, longer);
    }
    if (probe.result == ProbeResult::good) result_.last_good = commit;
    if (probe.result == ProbeResult::bad) result_.first_bad = commit;
    result_.probes.push_back(std::move(probe));
  }

  Probe compared(size_t commit, const TwoPhaseDesign& design) const {
    Probe probe{.commit = commit};
    try {
      const Comparison comparison = compare_(commit, design, result_.case_name);
      const auto found =
          std::find_if(comparison.cases.begin(), comparison.cases.end(),
                       [&](const CaseComparison& one) { return one.name == result_.case_name; });
      if (found == comparison.cases.end()) {
        probe.reason = "it has no such case";
        return probe;
      }
      probe.result = result_of(*found);
      if (probe.result == ProbeResult::inconclusive) probe.reason = found->reason;
      if (found->compared()) {
        probe.ratio = found->ratio;
        probe.ratio_low = found->ratio_low;
        probe.ratio_high = found->ratio_high;
      }
    } catch (const UsageError& error) {
      probe.reason = error.what();
    }
    return probe;
  }

  TwoPhaseDesign design_;
  const CompareCommit& compare_;
  std::vector<bool> asked_;
  Bisection result_;
};

}  // namespace

Bisection find_first_slower(size_t commits, const TwoPhaseDesign& design,
                            const CompareCommit& compare) {
  return CommitSearch(commits, design, compare).run();
}

}  // namespace alsbench
