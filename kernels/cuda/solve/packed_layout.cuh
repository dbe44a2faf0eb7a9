// SPDX-License-Identifier: Apache-2.0
// Shared memory of the packed Cholesky solver. Plain constants, seen by the kernel
// (packed_cholesky.cuh) and by its plan (variants/als/solve/solve_cuda.cpp).
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// L by panels of 8 columns, each from its diagonal on, with b as the last row. A panel is two
// halves, which hold 4 columns of each row: the halves of neighbouring rows, 16 bytes each, lie in
// different banks.
struct PackedLayout {
  int rank = 0;

  static constexpr int kPanel = 8;                // columns
  static constexpr int kMaxLaneRows = 4;          // rows of a panel that a lane updates at a time
  static constexpr int kMaxPairBytes = 48 << 10;  // of a system, where a block has two

  ALSBENCH_HOST_DEVICE constexpr int panels() const { return (rank + kPanel - 1) / kPanel; }
  ALSBENCH_HOST_DEVICE constexpr int rows_of(int panel) const { return rank + 1 - kPanel * panel; }
  // Where a panel begins, and the end of the last one, in 16 bytes.
  ALSBENCH_HOST_DEVICE constexpr int begin_of(int panel) const {
    return 2 * panel * (rank + 1) - kPanel * panel * (panel - 1);
  }
  ALSBENCH_HOST_DEVICE constexpr int system_bytes() const { return 16 * begin_of(panels()); }
  // Of a block, with a system each.
  ALSBENCH_HOST_DEVICE constexpr int warps() const {
    return system_bytes() > kMaxPairBytes ? 1 : 2;
  }
  ALSBENCH_HOST_DEVICE constexpr int shared_bytes() const { return warps() * system_bytes(); }
};

}  // namespace alsbench
