// SPDX-License-Identifier: Apache-2.0
// The sampler: takes one sample, and decides when there are enough. Sweeps and tuning both drive
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/measurement_record.h"
#include "harness/stage/stage_fixture.h"

namespace alsbench {

Statistics statistics_of(const std::vector<double>& seconds);

struct StopRule {
  int64_t min_samples = 5;
  int64_t max_samples = 50;
  double max_noise = 0.005;  // wanted relative IQR of the median
  double max_seconds = 10;   // of one case
};
// Why sampling stops now ("noise", "samples", "time"), or "" to go on. Never stops before one
// sample.
std::string_view stop_reason(const StopRule& rule, const std::vector<double>& seconds,
                             double elapsed_seconds);

// One sample of an executable on its fixture: restore what it destroys, flush (cold) or run once
// before (hot), time.
Sample take_sample(StageFixture& fixture, const Variant& variant, Executable& executable,
                   CacheMode mode);

// Of a variant of several kernels, the seconds of each: medians of a few executions, with a hot
// cache. Else empty.
std::vector<double> sample_kernels(StageFixture& fixture, const Variant& variant,
                                   Executable& executable);

}  // namespace alsbench
