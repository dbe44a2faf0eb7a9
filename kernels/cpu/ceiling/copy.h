// SPDX-License-Identifier: Apache-2.0
// The ceilings copy, read and gather_copy on the CPU.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/ceiling.h"

namespace alsbench {

void copy_chunks(const CopyParams& params, const CpuResources& resources);
void read_chunks(const ReadParams& params, const CpuResources& resources);
void gather_rows(const CopyParams& params, const CpuResources& resources);

}  // namespace alsbench
