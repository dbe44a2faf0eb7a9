// SPDX-License-Identifier: Apache-2.0
// The stage top_k on the CPU. A row's scores are added in an order that depends on neither threads
// nor other rows' numbers of seen items, so results repeat bit by bit.
#pragma once

#include "kernels/cpu/parallel.h"
#include "kernels/shared/params/recommend.h"

namespace alsbench {

struct TopKTile {
  int rows = 64;     // of x
  int items = 1024;  // of theta; a multiple of 16
};

// A row at a time: a dot product with each item.
void top_k_rows(const TopKParams& params, const CpuResources& resources);
// A tile of scores at a time, by OpenBLAS where there is more than one row.
void top_k_blocked(const TopKParams& params, const TopKTile& tile, const CpuResources& resources);

}  // namespace alsbench
