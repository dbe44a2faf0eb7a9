// SPDX-License-Identifier: Apache-2.0
// The copy of the factors in the workspace of normal_equations/halves. Plain constants, seen by the
// kernels and by their plan.
#pragma once

#include "kernels/cuda/mma/layout.cuh"

namespace alsbench {

// Factors times a power of two, each as the sum of two halves: of a row all first halves, then all
// second ones, MmaLayout::columns() of each; those behind the features are zero.
struct HalvesCopy {
  int rank = 0;

  // Blocks that look for the largest magnitude. The bits of each one's are the first words of the
  // copy; the scale stands behind them.
  static constexpr int kBlocks = 512;
  static constexpr int64_t kScaleAt = 4 * kBlocks, kRowsAt = kScaleAt + 64;

  ALSBENCH_HOST_DEVICE constexpr int columns() const { return MmaLayout{rank}.columns(); }
  ALSBENCH_HOST_DEVICE constexpr int64_t bytes(int64_t rows) const {
    return kRowsAt + rows * 4 * columns();
  }
};

}  // namespace alsbench
