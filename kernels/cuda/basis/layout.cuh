// SPDX-License-Identifier: Apache-2.0
// How gram and rotate divide their products into tiles. Plain constants, seen by the kernels and by
// their plans.
#pragma once

#include "kernels/shared/views.h"

namespace alsbench {

struct BasisLayout {
  int rank = 0;

  static constexpr int kTile = 64;         // rows and columns of a product that a block has
  static constexpr int kThreads = 64;      // of a block: 8 x 8, each with 8 x 8 sums
  static constexpr int kMmaThreads = 128;  // of a block on tensor cores: four warps
  static constexpr int kDepth = 16;        // terms of a sum that are in shared memory at a time
  static constexpr int kSumThreads = 256;  // of gram's second kernel

  ALSBENCH_HOST_DEVICE constexpr int tiles() const {
    return (factor_pitch(rank) + kTile - 1) / kTile;
  }
  // Of the lower triangle: pair number `row (row + 1) / 2 + column`.
  ALSBENCH_HOST_DEVICE constexpr int pairs() const { return tiles() * (tiles() + 1) / 2; }
  ALSBENCH_HOST_DEVICE constexpr int pair_row(int pair) const {
    int row = 0;
    while ((row + 1) * (row + 2) / 2 <= pair) ++row;
    return row;
  }
  ALSBENCH_HOST_DEVICE constexpr int pair_column(int pair) const {
    const int row = pair_row(pair);
    return pair - row * (row + 1) / 2;
  }
  static constexpr int kPairElements = kTile * kTile;
};

}  // namespace alsbench
