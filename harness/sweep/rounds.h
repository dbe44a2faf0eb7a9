// SPDX-License-Identifier: Apache-2.0
// The rounds of `run`: every undecided measurement takes its samples in a random order with all
// others, until its stop rule decides it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/measure/sampler.h"

namespace alsbench {

struct Measurement {
  std::string name;
  std::vector<Sample> samples;
  double elapsed_seconds = 0;  // on the wall, of all its samples
  // "noise", "samples", "time" or "disturbed"; empty: it failed
  std::string stop_reason;
  std::vector<Sample> left_out = {};  // disturbed by other work, and taken again
  double lost_seconds = 0;            // on the wall, of those
};

// One sample of measurement `index`, or nothing when it failed and is not to be asked again.
using TakeSample = std::function<std::optional<Sample>(size_t index)>;
// Measurement `index` needs no more samples: its rule stopped it, or it failed.
using Decided = std::function<void(size_t index)>;

// A disturbed sample is taken again, until as many were disturbed, or as much time was lost, as
// the rule allows kPatience times. Three samples that were not have a median of their own. Of fewer
// the stop reason is "disturbed" where most were; and where they are too few for the rule, all are
// the measurement's. It is "disturbed" as well where other work crowds most of its samples.
// Fills in the measurements; the order of their samples depends on `seed` alone. `decided` hears of
// each as soon as the round that decided it has ended. What `take` throws ends the measuring.
void measure_interleaved(std::vector<Measurement>& measurements, const StopRule& rule,
                         uint64_t seed, const TakeSample& take, const Decided& decided = {});

}  // namespace alsbench
