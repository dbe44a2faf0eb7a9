// SPDX-License-Identifier: Apache-2.0
// The ceiling fma on the CPU.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/fma_chain.h"

namespace alsbench {

int32_t fma_chains_of_task();  // that this processor steps at a time
void fma_chains(const FmaParams& params, const CpuResources& resources);

}  // namespace alsbench
