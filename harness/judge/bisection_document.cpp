// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/bisection_document.h"

#include "harness/record/document.h"

namespace alsbench {
namespace {

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

void describe(Fields<Commit>& fields) {
  fields("id", &Commit::id);
  fields("subject", &Commit::subject);
}

void describe(Fields<ProbeRecord>& fields) {
  fields.record("probe", "A comparison of a commit with the first one.");
  fields("commit", &ProbeRecord::commit);
  fields("result", &ProbeRecord::result);
  fields("reason", &ProbeRecord::reason, "why it is inconclusive").nullable();
  add_ratio(fields, "ratio", &ProbeRecord::ratio);
  add_ratio(fields, "ratio_low", &ProbeRecord::ratio_low);
  add_ratio(fields, "ratio_high", &ProbeRecord::ratio_high);
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
    document.probes.push_back({commits[probe.commit].id, probe.result, probe.reason, probe.ratio,
                               probe.ratio_low, probe.ratio_high});
  if (bisection.case_name.empty()) return document;
  document.case_name = bisection.case_name;
  document.ratio = bisection.ratio;
  for (size_t i = bisection.last_good + 1; i <= bisection.first_bad; ++i)
    document.among.push_back(commits[i].id);
  return document;
}

}  // namespace alsbench
