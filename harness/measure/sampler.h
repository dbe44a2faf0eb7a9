// SPDX-License-Identifier: Apache-2.0
// The sampler: decides when there are enough samples, which guard.h takes, and executes beside
// them. Sweeps and tuning both drive it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/measurement_record.h"
#include "harness/record/suite_record.h"
#include "harness/stage/stage_fixture.h"

namespace alsbench {

// A sample that other work disturbed is taken again, so many times as often as is allowed at most.
inline constexpr int kPatience = 3;
// Whether a sample is to be taken again: it was disturbed, and ALSBENCH_DISTURBED is not "keep".
bool is_to_be_taken_again(const Sample& sample);

Statistics statistics_of(const std::vector<double>& seconds);

// Why sampling stops now ("noise", "samples", "time"), or "" to go on. Never stops before one
// sample.
std::string_view stop_reason(const StopRule& rule, const std::vector<double>& seconds,
                             double elapsed_seconds);

// Restores what executions destroy, and leaves the caches as `mode` wants them: flushed (cold), or
// as an execution leaves them (hot). Enqueued.
void make_ready(StageFixture& fixture, const Variant& variant, Executable& executable,
                CacheMode mode);

// Counters of executions of their own, in the state that samples are taken in. Kernels are those
// that the executable reports, over all batches; where it launches others, one entry has them all.
CountersRecord count_execution(StageFixture& fixture, const Variant& variant,
                               Executable& executable, CacheMode mode);

// Of a variant of several kernels, the seconds of each: medians of a few executions, with a hot
// cache. Else empty.
std::vector<double> sample_kernels(StageFixture& fixture, const Variant& variant,
                                   Executable& executable);

}  // namespace alsbench
