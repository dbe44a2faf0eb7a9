// SPDX-License-Identifier: Apache-2.0
// The stages update and implicit_update on AMX tiles: a row at a time, its A_u formed of factors as
// signed bytes and solved by CG while it is in the cache. A row is one thread's, so the bits do not
// depend on how many there are. tile_support() has kernels.
#pragma once

#include "kernels/cpu/cg_options.h"
#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

void update_tiles(const UpdateParams& params, const CgOptions& options,
                  const CpuResources& resources);
// Ratings name rows that were multiplied by the roots of their weights (Int8Weights), and their
// values are what b_u multiplies these by.
void implicit_update_tiles(const ImplicitParams& params, const CgOptions& options,
                           const CpuResources& resources);

}  // namespace alsbench
