// SPDX-License-Identifier: Apache-2.0
// TeamRecord: a training on several devices: what its exchanges bring, how fast, and what an
// iteration should take for that on teams of several sizes.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/record/fields/fields.h"

namespace alsbench {

struct PredictedSeconds {
  int members = 0;
  double largest_share = 0;  // of the work that falls to a member
  double seconds = 0;        // of an iteration
};

struct TeamRecord {
  int members = 0;
  double latency_seconds = 0;   // of an exchange, whatever it carries
  double bytes_per_second = 0;  // that a member receives
  int exchanges = 0;            // of an iteration
  int64_t exchanged_bytes = 0;  // of all rows that they bring together
  double work_seconds = 0;      // of all members together: the median of the iterations
  std::vector<PredictedSeconds> predicted;
};

void describe(Fields<PredictedSeconds>& fields);
void describe(Fields<TeamRecord>& fields);

}  // namespace alsbench
