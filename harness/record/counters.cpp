// SPDX-License-Identifier: Apache-2.0
#include "harness/record/counters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace alsbench {
namespace {

using Member = double Counters::*;

// How a field of several kernels becomes one.
enum class Join { sum, by_cycles, by_active_cycles };

struct Counted {
  const char* name;
  Member member;
  Join join;
};

constexpr std::array kCounterFields{
    Counted{"seconds", &Counters::seconds, Join::sum},
    Counted{"cycles", &Counters::cycles, Join::sum},
    Counted{"instructions", &Counters::instructions, Join::sum},
    Counted{"dram_read_bytes", &Counters::dram_read_bytes, Join::sum},
    Counted{"dram_write_bytes", &Counters::dram_write_bytes, Join::sum},
    Counted{"l2_bytes", &Counters::l2_bytes, Join::sum},
    Counted{"l2_hit_bytes", &Counters::l2_hit_bytes, Join::sum},
    Counted{"l1_bytes", &Counters::l1_bytes, Join::sum},
    Counted{"l1_hit_bytes", &Counters::l1_hit_bytes, Join::sum},
    Counted{"l1_requests", &Counters::l1_requests, Join::sum},
    Counted{"last_level_misses", &Counters::last_level_misses, Join::sum},
    Counted{"tensor_share", &Counters::tensor, Join::by_cycles},
    Counted{"fp32_share", &Counters::fp32, Join::by_cycles},
    Counted{"lsu_share", &Counters::lsu, Join::by_cycles},
    Counted{"l1_share", &Counters::l1, Join::by_cycles},
    Counted{"l2_share", &Counters::l2, Join::by_cycles},
    Counted{"dram_share", &Counters::dram, Join::by_cycles},
    Counted{"issue_share", &Counters::issue, Join::by_cycles},
    Counted{"active_share", &Counters::active, Join::by_cycles},
    Counted{"occupancy", &Counters::occupancy, Join::by_active_cycles},
};

double weight(const Counters& counters, Join join) {
  switch (join) {
    case Join::by_cycles:
      return counters.cycles;
    case Join::by_active_cycles:
      return counters.cycles * counters.active;
    default:
      return 1;
  }
}

}  // namespace

Counters sum_of(const std::vector<Counters>& parts) {
  Counters total;
  for (const Counted& field : kCounterFields) {
    double sum = 0, weights = 0;
    for (const Counters& part : parts) {
      sum += part.*field.member * weight(part, field.join);
      weights += weight(part, field.join);
    }
    total.*field.member = field.join == Join::sum ? sum : sum / weights;
  }
  if (!parts.empty()) total.stalls = longest_of(parts).stalls;
  return total;
}

const Counters& longest_of(const std::vector<Counters>& parts) {
  return *std::max_element(parts.begin(), parts.end(), [](const Counters& a, const Counters& b) {
    return a.seconds < b.seconds;
  });
}

void describe(Fields<Stall>& fields) {
  fields.record("stall", "A reason for which warps waited.");
  fields("reason", &Stall::reason, "as the counter is called: long_scoreboard");
  fields("share", &Stall::share, "of the time that warps are resident");
}

void describe(Fields<Counters>& fields) {
  fields.record("kernel_counters",
                "Hardware counters of one kernel; null where a counter was not read.");
  for (const Counted& field : kCounterFields) fields(field.name, field.member).nullable();
  fields("stalls", &Counters::stalls, "the largest first, three at most");
  using C = Counters;
  fields.column("counted_seconds", &C::seconds);
  fields.column("counted_clock_hz", &C::clock_hz);
  fields.column("instructions", &C::instructions);
  fields.column("l1_bytes", &C::l1_bytes);
  fields.column("l1_hit_rate", &C::l1_hit_rate);
  fields.column("l1_bytes_per_request", &C::l1_bytes_per_request);
  fields.column("l2_hit_rate", &C::l2_hit_rate);
  fields.column("tensor_share", &C::tensor);
  fields.column("fp32_share", &C::fp32);
  fields.column("l1_share", &C::l1);
  fields.column("l2_share", &C::l2);
  fields.column("dram_share", &C::dram);
  fields.column("issue_share", &C::issue);
  fields.column("counted_occupancy", &C::occupancy, "resident warps over the most");
  fields.column("last_level_misses", &C::last_level_misses);
  fields.column("top_stall",
                [](const C& c) { return c.stalls.empty() ? "" : c.stalls.front().reason; });
}

void describe(Fields<CountersFailure>& fields) {
  fields.record("counters_refusal", "Why counters were not read.");
  fields("why", &CountersFailure::why);
  fields("detail", &CountersFailure::detail, "what was tried, and the answer");
  fields("remedy", &CountersFailure::remedy);
}

void describe(Fields<CountersRecord>& fields) {
  fields.record("counters", "Hardware counters of the kernels of a case.");
  fields("kernels", &CountersRecord::kernels, "in the order of launches");
  fields("executions", &CountersRecord::executions,
         "executions for the counters, in addition to all samples");
  fields("refusal", &CountersRecord::refusal, "why there are none");
}

}  // namespace alsbench
