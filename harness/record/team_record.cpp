// SPDX-License-Identifier: Apache-2.0
#include "harness/record/team_record.h"

#include "harness/record/fields/fields.h"

namespace alsbench {

void describe(Fields<PredictedSeconds>& fields) {
  fields.record("predicted_seconds", "Predicted time of an iteration with a number of devices.");
  fields("members", &PredictedSeconds::members).range(Range::Kind::from_1);
  fields("largest_share", &PredictedSeconds::largest_share).range(Range::Kind::share);
  fields("seconds", &PredictedSeconds::seconds).range(Range::Kind::duration);
}

void describe(Fields<TeamRecord>& fields) {
  fields.record("team", "How several devices trained together, and what a model of it predicts.");
  fields("members", &TeamRecord::members).range(Range::Kind::from_1);
  fields("latency_seconds", &TeamRecord::latency_seconds).range(Range::Kind::duration);
  fields("bytes_per_second", &TeamRecord::bytes_per_second).range(Range::Kind::from_0);
  fields("exchanges", &TeamRecord::exchanges).range(Range::Kind::from_0);
  fields("exchanged_bytes", &TeamRecord::exchanged_bytes).range(Range::Kind::from_0);
  fields("work_seconds", &TeamRecord::work_seconds).range(Range::Kind::duration);
  fields("predicted", &TeamRecord::predicted);
}

}  // namespace alsbench
