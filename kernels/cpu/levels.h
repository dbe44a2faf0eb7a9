// SPDX-License-Identifier: Apache-2.0
// The stages centre and level_columns on the CPU.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/levels.h"

namespace alsbench {

void centre_ratings(const CentreParams& params, const CpuResources& resources);
void set_level_columns(const LevelColumnsParams& params, const CpuResources& resources);

}  // namespace alsbench
