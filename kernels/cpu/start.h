// SPDX-License-Identifier: Apache-2.0
// The stages subsample and blend on the CPU.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/start.h"

namespace alsbench {

void subsample_rows(const SubsampleParams& params, const CpuResources& resources);
void blend_rows(const BlendParams& params, const CpuResources& resources);

}  // namespace alsbench
