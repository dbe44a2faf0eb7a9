// SPDX-License-Identifier: Apache-2.0
// The limiter of a row, and the bytes of its stage's model next to those that counters saw.
// docs/explanation/profiling.md has the rules.
#pragma once

#include <optional>
#include <vector>

#include "harness/record/case_record.h"
#include "variants/core/device_traits.h"
#include "variants/reference_rates.h"

namespace alsbench {

// By the counters of the longest kernel: the busiest unit, if it is busy for more than 60 % of the
// time (where Nsight Compute's guide calls a unit bound). Otherwise `launch` if multiprocessors are
// mostly empty, else `latency`. Nothing where the counters do not tell, as those of a CPU.
std::optional<BoundBy> measured_bound(const CountersRecord& counters);

// By the ceiling that the row comes nearest to, unless its share is too small. `wanted`: the
// references that the shares are of.
std::optional<BoundBy> predicted_bound(const CaseRecord& record, const MeasurementRecord& measured,
                                       const std::vector<ReferenceRate>& wanted,
                                       const DeviceTraits& traits);

// Sets `dram` and `l2` of a measurement by the work of its case and by its counters.
void add_traffic(const CaseRecord& record, CacheMode mode, const DeviceTraits& traits,
                 MeasurementRecord& measured);

}  // namespace alsbench
