// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/bisection.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "harness/record/document.h"

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
      const auto found = std::ranges::find_if(comparison.cases, [&](const CaseComparison& one) {
        return one.name == result_.case_name;
      });
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
    } catch (const EnvironmentError& error) {  // the machine could measure both ends
      probe.reason = error.what();
    } catch (const BaselineError& error) {  // of the first commit, which ran before
      probe.reason = error.what();
    }
    return probe;
  }

  TwoPhaseDesign design_;
  const CompareCommit& compare_;
  std::vector<bool> asked_;
  Bisection result_;
};

// A ratio that is null where it is 0.
template <class T>
void add_ratio(Fields<T>& fields, const char* name, double T::*member, const char* doc = "") {
  fields
      .custom(
          name,
          [member](const T& value) {
            return value.*member > 0 ? Json(value.*member) : Json(nullptr);
          },
          [member](const JsonField& json, T& value) {
            value.*member = json.is_null() ? 0 : json.number();
          },
          {{"type", {"number", "null"}}}, doc)
      .range(Range::Kind::above_0);
}

BisectionConclusion conclusion_of(const Bisection& bisection) {
  if (!bisection.case_name.empty())
    return bisection.found() ? BisectionConclusion::found : BisectionConclusion::narrowed;
  return *named<BisectionConclusion>(name_of(conclusion_of(bisection.whole)));
}

}  // namespace

Bisection find_first_slower(size_t commits, const TwoPhaseDesign& design,
                            const CompareCommit& compare) {
  return CommitSearch(commits, design, compare).run();
}

void describe(Fields<Commit>& fields) {
  fields("id", &Commit::id);
  fields("subject", &Commit::subject);
}

void describe(Fields<Probe>& fields) {  // all but the commit
  fields("result", &Probe::result);
  fields("reason", &Probe::reason, "why it is inconclusive").nullable();
  add_ratio(fields, "ratio", &Probe::ratio);
  add_ratio(fields, "ratio_low", &Probe::ratio_low);
  add_ratio(fields, "ratio_high", &Probe::ratio_high);
}

void describe(Fields<ProbeRecord>& fields) {
  fields.record("probe", "A comparison of a commit with the first one.");
  fields("commit", &ProbeRecord::commit);
  fields.inlined(&ProbeRecord::probe);
}

void describe(Fields<BisectionDocument>& fields) {
  fields.record("", "Which commit made a case slower: `alsbench bisect`.");
  describe_document(fields, "bisection");
  fields("provenance", &BisectionDocument::provenance);
  fields("range", &BisectionDocument::range, "GOOD..BAD, as it was given");
  fields("build_command", &BisectionDocument::build_command);
  fields("kernels", &BisectionDocument::kernels,
         "folder of custom kernels in the repository, whose commits were compared")
      .omitted();
  fields("design", &BisectionDocument::design);
  fields("commits", &BisectionDocument::commits, "GOOD, then those after it in their order")
      .range(Range::Kind::not_empty);
  fields("conclusion", &BisectionDocument::conclusion,
         "found: one commit; narrowed: one of several; otherwise no case is slower, and it is the "
         "conclusion of the comparison of GOOD and BAD");
  fields("case", &BisectionDocument::case_name, "the slowest case of BAD, which was followed")
      .nullable();
  add_ratio(fields, "ratio", &BisectionDocument::ratio, "its time of BAD over that of GOOD");
  fields("probes", &BisectionDocument::probes, "comparisons with GOOD in their order");
  fields("among", &BisectionDocument::among, "one of these made the case slower");
}

BisectionDocument document_of(const Bisection& bisection, const std::vector<Commit>& commits) {
  BisectionDocument document{.commits = commits, .conclusion = conclusion_of(bisection)};
  for (const Probe& probe : bisection.probes)
    document.probes.push_back({commits[probe.commit].id, probe});
  if (bisection.case_name.empty()) return document;
  document.case_name = bisection.case_name;
  document.ratio = bisection.ratio;
  for (size_t i = bisection.last_good + 1; i <= bisection.first_bad; ++i)
    document.among.push_back(commits[i].id);
  return document;
}

}  // namespace alsbench
