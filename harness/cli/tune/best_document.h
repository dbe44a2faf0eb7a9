// SPDX-License-Identifier: Apache-2.0
// BestDocument: what `alsbench best --json` answers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/tune/database/tuned_entry.h"

namespace alsbench {

struct BestPick {
  std::string part;
  std::string level, reason;  // of the look-up
  bool stale = false;         // the code has changed since it was measured
  Shape shape;
  std::vector<StepRecord> pick;
  std::optional<TunedEntry> entry;
};

struct BestDocument {
  TunedTraining training;
  DeviceTraits device;
  std::string what;
  Goal goal = Goal::time;
  std::vector<BestPick> picks;
};

void describe(Fields<BestPick>& fields);
void describe(Fields<BestDocument>& fields);

}  // namespace alsbench
