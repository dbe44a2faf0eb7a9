// SPDX-License-Identifier: Apache-2.0
// IterationRecord: what one iteration of a training took and reached.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "harness/record/contention.h"
#include "harness/record/fields/fields.h"

namespace alsbench {

// Where the time of a member of a team went in an iteration.
struct MemberSeconds {
  double work = 0;
  double exchange = 0;  // with the waiting for other members
};

struct IterationRecord {
  int iteration = 0;          // from 1
  double train_metric = 0;    // NaN where it was not asked for
  double test_metric = 0;     // likewise, and without test ratings
  double seconds = 0;         // on the device, of a team the slowest, evaluation apart
  double wall_seconds = 0;    // the same by the host's steady clock
  double metric_seconds = 0;  // of the evaluation
  std::map<std::string, double> stage_seconds;  // "x/hermitian" -> seconds, of the first member
  double mean_solver_steps = 0;   // over all rows, 0 of direct solvers; NaN where nothing was asked
  int64_t cold_test_ratings = 0;  // predicted by the training mean
  std::vector<MemberSeconds> members = {};  // none of a single device
  double exchange_seconds = 0;              // without the waiting
  Contention contention = {};               // during it, in its wall time
};

void describe(Fields<MemberSeconds>& fields);
void describe(Fields<IterationRecord>& fields);

}  // namespace alsbench
