// SPDX-License-Identifier: Apache-2.0
// The operands of the ceiling mma: small whole numbers, so every type holds them and every sum is
// exact.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Arguments of the ceiling mma. A warp multiplies one A by kMmaTiles B, `steps` times each.
struct MmaParams {
  float* target = nullptr;  // 32 a warp: what a lane holds of all sums, added up
  int32_t warps = 0;
  int32_t steps = 0;  // so few that every sum is exact: fp8's have 13 bits
};

constexpr int kMmaTiles = 8;
constexpr int kMmaRows = 16, kMmaColumns = 8;  // of a product
// Columns of A and rows of B that an instruction multiplies: 32 bytes a row.
ALSBENCH_HOST_DEVICE constexpr int mma_depth(int element_bytes) { return 32 / element_bytes; }

ALSBENCH_HOST_DEVICE inline int mma_a(int warp, int row, int k) {
  return (warp + 3 * row + 5 * k) % 4 - 1;
}
ALSBENCH_HOST_DEVICE inline int mma_b(int tile, int k, int column) {
  return (tile + 7 * k + 2 * column) % 3 - 1;
}

}  // namespace alsbench
