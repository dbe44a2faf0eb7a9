// SPDX-License-Identifier: Apache-2.0
#include "harness/record/energy_record.h"

namespace alsbench {

void describe(Fields<EnergyRecord>& fields) {
  using E = EnergyRecord;
  fields.record(
      "energy",
      "Energy of an execution, or of an iteration of a training, of a window of them in a row.");
  fields("source", &E::source, "counter: the device counts joules; power: samples of its power")
      .column("energy_source");
  fields("joules", &E::joules, "of an execution").range(Range::Kind::from_0).column();
  fields("seconds", &E::seconds, "of an execution in the row; of a stage with a hot cache")
      .range(Range::Kind::above_0);
  fields("watts", &E::watts, "mean of the device, what it takes at rest included")
      .range(Range::Kind::from_0);
  fields("window_seconds", &E::window_seconds).range(Range::Kind::above_0);
  fields("executions", &E::executions, "in the row").range(Range::Kind::from_1);
  fields("resolution_seconds", &E::resolution_seconds,
         "how often the source had a new value; 0: once")
      .range(Range::Kind::from_0);
}

}  // namespace alsbench
