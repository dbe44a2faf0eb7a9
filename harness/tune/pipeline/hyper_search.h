// SPDX-License-Identifier: Apache-2.0
// The search for hyper-parameters once the pipelines are chosen: which values reach the target
// soonest, without ending worse.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/record/training_record.h"
#include "variants/core/parameter_space.h"

namespace alsbench {

// A training with some values, to the end.
struct HyperTrial {
  Config hyper;
  bool reached = false;  // the target
  double seconds = 0;    // to the target; the median of a few trainings
  double metric = 0;     // the best of all iterations
  bool passed = false;   // reached, and ended no worse than the default
};

struct HyperSearch {
  std::vector<HyperTrial> trials;  // where it began first
  size_t pick = 0;                 // of the trials

  const HyperTrial& chosen() const { return trials[pick]; }
  const HyperTrial& fallback() const { return trials.front(); }
};

// For people.
std::string text_of(const HyperTrial& trial, const std::string& metric);

// The iterations of a training with the values that goes on after the target; nothing where it
// failed.
using TrainHyper = std::function<std::optional<std::vector<IterationRecord>>(const Config&)>;

// One parameter after the other, in their order: each value that it lists, the others at the best
// so far, three trainings each. `begin`: how all stand at first. `on_trial` hears of each. Nothing
// where not even those could be trained.
std::optional<HyperSearch> search_hyper(const std::vector<Parameter>& parameters,
                                        const Config& begin, double target, const TrainHyper& train,
                                        const std::function<void(const HyperTrial&)>& on_trial);

}  // namespace alsbench
