// SPDX-License-Identifier: Apache-2.0
// The ceilings gather_l1, gather_l2 and gather_memory on the CPU.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/gather_rows.h"

namespace alsbench {

void sum_streams(const GatherParams& params, const CpuResources& resources);
// Of a core's second cache; a usual size where the system does not say.
int64_t second_cache_bytes();

}  // namespace alsbench
