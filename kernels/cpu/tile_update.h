// SPDX-License-Identifier: Apache-2.0
// The stages update and implicit_update on AMX tiles: a row at a time, its A_u formed of factors as
// signed bytes or as bf16 and solved by CG while it is in the cache. A row is one thread's, so the
// bits do not depend on how many there are. tile_support(element) has kernels.
#pragma once

#include "kernels/cpu/cg_options.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/tiles/tiles.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

void update_tiles(const UpdateParams& params, TileElement element, const CgOptions& options,
                  const CpuResources& resources);
// Of bytes, ratings name rows that were multiplied by the roots of their weights (Int8Weights), and
// their values are what b_u multiplies these by. Rows of bf16 are multiplied as they are read.
void implicit_update_tiles(const ImplicitParams& params, TileElement element,
                           const CgOptions& options, const CpuResources& resources);

}  // namespace alsbench
