// SPDX-License-Identifier: Apache-2.0
// The rounds of `run`: every measurement that is not decided takes its samples in a random order
// with all others, until its stop rule has decided it.
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
  std::string stop_reason;     // "noise", "samples" or "time"; empty: it failed
};

// One sample of measurement `index`, or nothing when it failed and is not to be asked again.
using TakeSample = std::function<std::optional<Sample>(size_t index)>;
// Measurement `index` needs no more samples: its rule stopped it, or it failed.
using Decided = std::function<void(size_t index)>;

// Fills in the measurements; the order of their samples depends on `seed` alone. `decided` hears of
// each as soon as the round that decided it has ended. What `take` throws ends the measuring and is
// thrown again.
void measure_interleaved(std::vector<Measurement>& measurements, const StopRule& rule,
                         uint64_t seed, const TakeSample& take, const Decided& decided = {});

}  // namespace alsbench
