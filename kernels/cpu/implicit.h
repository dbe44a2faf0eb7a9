// SPDX-License-Identifier: Apache-2.0
// The stages of implicit ALS on the CPU. A row is one thread's, and losses are summed over fixed
// ranges of rows, so the bits do not depend on the number of threads.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/simd/simd.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

// Every rating adds its weighted outer product to the whole matrix in memory.
void implicit_equations_naive(const ImplicitParams& params, const CpuResources& resources);
// A bin of factor rows times sqrt(c - 1) is gathered, then the lower triangle is updated from
// registers.
void implicit_equations_blocked(const ImplicitParams& params, RegisterTile tile, int bin,
                                const CpuResources& resources);
void implicit_loss_rows(const ImplicitLossParams& params, const CpuResources& resources);

}  // namespace alsbench
