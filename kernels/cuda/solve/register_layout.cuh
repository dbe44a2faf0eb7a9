// SPDX-License-Identifier: Apache-2.0
// Layout of the Cholesky solver in registers. Plain constants, seen by the kernel
// (register_cholesky.cuh) and by its plan (variants/als/solve/solve_cuda.cpp).
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// The lanes of a warp are a grid of 8 rows and 4 columns: element (i, j) is a register of the lane
// in row i % 8 and column j % 4. Rows of the identity pad the matrix to a multiple of 4 columns,
// and b is the row after these.
struct RegisterLayout {
  int rank = 0;

  // Of a lane, at rank 80. The unrolled code of more is larger than the instruction cache of sm_90
  // (128 kB), and fetching it takes longer than computing.
  static constexpr int kMaxElements = 130;
  static constexpr int kWarps = 4;  // of a block, with a system each

  ALSBENCH_HOST_DEVICE constexpr int panels() const { return (rank + 3) / 4; }  // of 4 columns
  ALSBENCH_HOST_DEVICE constexpr int padded() const { return 4 * panels(); }    // b's row
  ALSBENCH_HOST_DEVICE constexpr int row_blocks() const { return padded() / 8 + 1; }
  // Of a row block, up to its diagonal.
  ALSBENCH_HOST_DEVICE constexpr int panels_of(int row_block) const {
    return 2 * row_block + 2 < panels() ? 2 * row_block + 2 : panels();
  }
  ALSBENCH_HOST_DEVICE constexpr int elements() const {
    int sum = 0;
    for (int i = 0; i < row_blocks(); ++i) sum += panels_of(i);
    return sum;
  }
  // Blocks that a multiprocessor's registers hold, which the compiler is to allow for.
  ALSBENCH_HOST_DEVICE constexpr int blocks() const {
    constexpr int kOthers = 44, kRegisters = 65536;  // beside the elements; of a multiprocessor
    const int blocks = kRegisters / (32 * kWarps * (elements() + kOthers));
    return blocks > 2 ? blocks : 2;
  }
};

}  // namespace alsbench
