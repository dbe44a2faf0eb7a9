// SPDX-License-Identifier: Apache-2.0
// The ceiling gemm_batched on the CPU: OpenBLAS, an item of the batch a task.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/ceiling.h"

namespace alsbench {

void gemm_strided(const GemmParams& params, const CpuResources& resources);

}  // namespace alsbench
