// SPDX-License-Identifier: Apache-2.0
// Causes: why the time of a case changed, as far as the records of both sides tell. A record may
// not tell: then there is no cause, and none is guessed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace alsbench {

struct CaseComparison;
struct ComparisonCase;

enum class CauseKind {
  machine,       // a canary of the device moved the same way
  other_work,    // of other processes, beside most launches of the slower side alone
  clock,         // it explains at least half of the change
  work,          // its solver takes another number of steps a row
  part,          // one kernel or stage has at least half of the change
  kernels,       // the case runs other kernels, or another number of them
  launch_shape,  // blocks or their threads
  spills,        // bytes a thread in local memory
  coalescing,    // a warp's request to L1 takes more bytes, or fewer
  l1_hits,       // L1 answers less, and L2 is asked for more
  l2_hits,       // L2 answers less, and memory moves more
  arithmetic,    // FP32 units or tensor cores are busy for longer
  instructions,  // warps execute more
  occupancy,
};
std::string_view name_of(CauseKind kind);

struct Cause {
  CauseKind kind = CauseKind::machine;
  std::string evidence;  // a clause with the figures of both sides
};

// Whether other work took part in most launches of the longer side and in few of the shorter one.
bool lengthened_by_other_work(const CaseComparison& c);

// The causes that fit the direction of the change: those outside the code first, then those of the
// code, then those of counters. Of these the first is that whose unit is busy for the most time
// more, or less. Of a case whose time is not seen to have moved there are none. `canary` is what
// moved the same way, or null.
std::vector<Cause> causes_of(const CaseComparison& c, const CaseComparison* canary,
                             const ComparisonCase& base, const ComparisonCase& test);

}  // namespace alsbench
