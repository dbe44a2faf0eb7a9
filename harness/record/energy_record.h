// SPDX-License-Identifier: Apache-2.0
// EnergyRecord: what an execution takes in energy, and how that was found out.
#pragma once

#include <cstdint>

#include "harness/record/fields/fields.h"

namespace alsbench {

// counter: joules that the device counts itself. power: its power, read over and over.
enum class EnergySource { counter, power };

struct EnergyRecord {
  EnergySource source = EnergySource::counter;
  double joules = 0;   // of an execution, in a row of them
  double seconds = 0;  // of an execution in that row
  double watts = 0;    // mean of the device
  double window_seconds = 0;
  int64_t executions = 0;         // in the row
  double resolution_seconds = 0;  // how often the counter or the power had a new value; 0: once
};

void describe(Fields<EnergyRecord>& fields);

}  // namespace alsbench
