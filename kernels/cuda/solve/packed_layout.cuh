// SPDX-License-Identifier: Apache-2.0
// Shared memory of the packed Cholesky solver. Plain constants, seen by the kernel
// (packed_cholesky.cuh) and by its plan (variants/als/solve/solve_cuda.cpp).
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Where row i of a packed lower triangle begins.
ALSBENCH_HOST_DEVICE constexpr int packed_row(int i) { return i * (i + 1) / 2; }

struct PackedLayout {
  int rank = 0;

  static constexpr int kPanel = 8;  // columns that are factored at once
  static constexpr int kTile = 4;   // a thread updates kTile x kTile elements at a time

  // Floats: A's lower triangle and b as its last row; then the inverse of the diagonal.
  ALSBENCH_HOST_DEVICE constexpr int triangle() const { return packed_row(rank + 1); }
  ALSBENCH_HOST_DEVICE constexpr int shared_bytes() const { return 4 * (triangle() + rank); }
};

}  // namespace alsbench
