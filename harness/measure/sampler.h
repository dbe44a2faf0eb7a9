// The sampler: takes one sample, and decides when there are enough. Sweeps and tuning both drive
// it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/stage/stage_fixture.h"

namespace alsbench {

enum class CacheMode { cold, hot };
std::string_view name_of(CacheMode mode);

struct Sample {
  double seconds = 0;
  double host_seconds = 0;
  double sm_clock_hz = 0;
  bool throttled = false;
};

struct Statistics {
  int64_t count = 0;
  double min = 0, q1 = 0, median = 0, q3 = 0, max = 0, mean = 0;
  // Of one sample nothing is known of these: NaN.
  double relative_iqr = 0;  // (q3 - q1) / median
  double median_noise = 0;  // relative IQR of the median: relative_iqr / sqrt(count)
};
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
