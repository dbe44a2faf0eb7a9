// SPDX-License-Identifier: Apache-2.0
// BisectionDocument: which commit made a case slower, as `alsbench bisect` writes it.
#pragma once

#include <string>
#include <vector>

#include "harness/judge/bisection.h"
#include "harness/judge/commit_builds.h"

namespace alsbench {

// found: one commit. narrowed: one of several. Otherwise no case is slower, and it is the
// conclusion of the comparison of the first and the last commit.
enum class BisectionConclusion { found, narrowed, clean, regression, unfit, failed };
constexpr auto enum_names(BisectionConclusion) {
  return std::to_array<EnumName<BisectionConclusion>>(
      {{BisectionConclusion::found, "found"},
       {BisectionConclusion::narrowed, "narrowed"},
       {BisectionConclusion::clean, "clean"},
       {BisectionConclusion::regression, "regression"},
       {BisectionConclusion::unfit, "unfit"},
       {BisectionConclusion::failed, "failed"}});
}

// A comparison of a commit with the first one.
struct ProbeRecord {
  std::string commit;
  ProbeResult result = ProbeResult::inconclusive;
  std::string reason = {};                          // why it is inconclusive
  double ratio = 0, ratio_low = 0, ratio_high = 0;  // commit / first; 0: not compared
};

struct BisectionDocument {
  Provenance provenance = {};
  std::string range = {}, build_command = {};  // as they were given
  std::string kernels = {};  // the folder in the repository whose commits these are; "": none
  DesignRecord design = {};
  std::vector<Commit> commits = {};
  BisectionConclusion conclusion = BisectionConclusion::clean;
  std::string case_name = {};  // the slowest case of the last commit; "": none is slower
  double ratio = 0;            // of it, last / first; 0: none is slower
  std::vector<ProbeRecord> probes = {};
  std::vector<std::string> among = {};
};

void describe(Fields<Commit>& fields);
void describe(Fields<ProbeRecord>& fields);
void describe(Fields<BisectionDocument>& fields);

// Without provenance, range, command, kernels and design.
BisectionDocument document_of(const Bisection& bisection, const std::vector<Commit>& commits);

}  // namespace alsbench
