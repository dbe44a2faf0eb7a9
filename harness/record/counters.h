// SPDX-License-Identifier: Apache-2.0
// Counters: what hardware counters say of the kernels of one execution, or why there are none.
// Docs: docs/explanation/profiling.md.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/fields/fields.h"

namespace alsbench {

// A reason why warps do not issue, and its share of the time that warps are resident.
struct Stall {
  std::string reason;  // as the counter is called: "long_scoreboard"
  double share = 0;
};

// Of one kernel; on a CPU of the whole execution. NaN: this device does not count it.
struct Counters {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

  double seconds = kUnknown;
  double cycles = kUnknown;        // GPU: elapsed, of a multiprocessor; CPU: of all threads
  double instructions = kUnknown;  // GPU: of warps; CPU: of all threads
  double dram_read_bytes = kUnknown, dram_write_bytes = kUnknown;
  double l2_bytes = kUnknown, l2_hit_bytes = kUnknown;  // asked of L2 by multiprocessors
  double l1_bytes = kUnknown, l1_hit_bytes = kUnknown;  // asked of L1 by instructions
  double l1_requests = kUnknown;                        // instructions of warps that asked
  double last_level_misses = kUnknown;                  // CPU
  // Shares of the most that the unit sustains, over the elapsed cycles.
  double tensor = kUnknown, fp32 = kUnknown, lsu = kUnknown;
  double l1 = kUnknown, l2 = kUnknown, dram = kUnknown, issue = kUnknown;
  double active = kUnknown;        // share of the elapsed cycles in which a warp was resident
  double occupancy = kUnknown;     // resident warps over the most, while any is
  std::vector<Stall> stalls = {};  // the largest first, three at most

  double dram_bytes() const { return dram_read_bytes + dram_write_bytes; }
  double clock_hz() const { return cycles / seconds; }  // of a GPU
  double l1_hit_rate() const { return l1_hit_bytes / l1_bytes; }
  double l2_hit_rate() const { return l2_hit_bytes / l2_bytes; }
  double l1_bytes_per_request() const { return l1_bytes / l1_requests; }
};

// Times, bytes and counts of all; shares weighed by cycles; the stalls of the longest.
Counters sum_of(const std::vector<Counters>& parts);
// The one that took the most seconds; parts must not be empty.
const Counters& longest_of(const std::vector<Counters>& parts);

enum class CountersFailureKind {
  permission,   // the system keeps counters from this user
  library,      // the library that reads them is missing, or too old
  build,        // this program was built without it
  unsupported,  // the device, or its virtualization, has none
  busy,         // another profiler has them
  failed,
};

struct CountersFailure {
  CountersFailureKind why = CountersFailureKind::failed;
  std::string detail;  // what was tried, and the answer
  std::string remedy;
};

// Of a case in one cache mode.
struct CountersRecord {
  std::vector<Counters> kernels;  // in the order of launches; empty: refused
  int64_t executions = 0;         // executions for the counters, in addition to all samples
  std::optional<CountersFailure> refusal;  // why there are none

  bool counted() const { return !kernels.empty(); }
};

void describe(Fields<Stall>& fields);
void describe(Fields<Counters>& fields);
void describe(Fields<CountersFailure>& fields);
void describe(Fields<CountersRecord>& fields);

}  // namespace alsbench
