// SPDX-License-Identifier: Apache-2.0
// What bounds a row, and the bytes of its stage's model beside those that counters saw.
// docs/explanation/profiling.md has the rules.
#pragma once

#include <optional>
#include <vector>

#include "harness/record/case_record.h"
#include "variants/core/device_traits.h"
#include "variants/yardsticks.h"

namespace alsbench {

// By the counters of the kernel that takes most of the time: the busiest unit, if it is busy for
// more than 60 % of the time (the figure from which Nsight Compute's guide calls a unit bound);
// else `launch` if multiprocessors are empty for most of it, and `latency`. Nothing where the
// counters do not tell, as those of a CPU.
std::optional<BoundBy> measured_bound(const CountersRecord& counters);

// By the roof of which the row reaches the largest share: what that roof is the rate of, unless the
// share is so small that nothing is near. `wanted`: the yardsticks that the shares are of.
std::optional<BoundBy> predicted_bound(const CaseRecord& record, const MeasurementRecord& measured,
                                       const std::vector<Yardstick>& wanted,
                                       const DeviceTraits& traits);

// Sets `dram` and `l2` of a measurement by the work of its case and by its counters.
void add_traffic(const CaseRecord& record, CacheMode mode, const DeviceTraits& traits,
                 MeasurementRecord& measured);

}  // namespace alsbench
