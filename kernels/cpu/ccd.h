// SPDX-License-Identifier: Apache-2.0
// The stages of CCD++ on the CPU. A row belongs to one thread.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/ccd.h"

namespace alsbench {

// One pass over the ratings: a residual is brought up to date and used at once.
void ccd_fused(const CcdUpdateParams& params, const CpuResources& resources);
// Two passes: all residuals, then all values.
void ccd_separate(const CcdUpdateParams& params, const CpuResources& resources);

void ccd_next(const CcdNextParams& params, const CpuResources& resources);

}  // namespace alsbench
