// SPDX-License-Identifier: Apache-2.0
// Bisection: which of consecutive commits made a case slower. Builds are compared as `ab` does it;
// a function compares two, so tests need no build.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/commit_builds.h"
#include "harness/judge/screen_and_confirm.h"

namespace alsbench {

// Result of comparing a commit with the first one.
enum class ProbeResult {
  good,          // the case is as fast as it was
  bad,           // it has most of the slowdown
  inconclusive,  // the commit has no build, or the launches did not suffice
};

struct Probe {
  size_t commit = 0;
  ProbeResult result = ProbeResult::inconclusive;
  std::string reason = {};                          // why it is inconclusive
  double ratio = 0, ratio_low = 0, ratio_high = 0;  // commit / first; 0: not compared
};

struct Bisection {
  std::string case_name = {};      // the slowest case of the last commit; "": none is slower
  double ratio = 1;                // last / first
  Comparison whole = {};           // of the first and the last commit, all cases
  std::vector<Probe> probes = {};  // in the order of asking; the first is the last commit
  // The case became slower in one of the commits after `last_good`, up to `first_bad`.
  size_t last_good = 0, first_bad = 0;

  bool found() const { return !case_name.empty() && first_bad == last_good + 1; }
};

// Compares the build of a commit (the test) with that of commit 0 (the base): all cases, or the
// named one alone. Throws UsageError, whose text says why, where the commit cannot be compared.
using CompareCommit = std::function<Comparison(size_t commit, const TwoPhaseDesign& design,
                                               const std::string& case_name)>;

// Of `commits` commits in their order, at least two. The first comparison is of the last commit,
// all cases, by the rules of `design`. Its slowest case is then followed: a commit is bad where
// that case has more than half of the slowdown, by logarithms. A commit that is inconclusive is
// asked once more, with twice as many launches, and then left out. Throws what `compare` throws for
// the last commit.
Bisection find_first_slower(size_t commits, const TwoPhaseDesign& design,
                            const CompareCommit& compare);

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
  std::string commit;  // its id
  Probe probe = {};
};

// Which commit made a case slower, as `alsbench bisect` writes it.
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
void describe(Fields<Probe>& fields);
void describe(Fields<ProbeRecord>& fields);
void describe(Fields<BisectionDocument>& fields);

// Without provenance, range, command, kernels and design.
BisectionDocument document_of(const Bisection& bisection, const std::vector<Commit>& commits);

}  // namespace alsbench
