// SPDX-License-Identifier: Apache-2.0
// Sums over the rows of a rating matrix, in parts: each part is of fixed rows, whoever adds it up,
// so the bits of their sum do not depend on how many devices share the work.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

struct Partials {
  static constexpr int kCount = 1024;

  // Part i is of the rows [i n, (i + 1) n), n being this.
  ALSBENCH_HOST_DEVICE static constexpr int64_t rows_of_each(int64_t rows) {
    return (rows + kCount - 1) / kCount;
  }

  // Threads of a CUDA block that share a row: a warp, and all of them where a part has fewer rows
  // than the block has warps.
  ALSBENCH_HOST_DEVICE static constexpr int threads_of_row(int64_t rows, int block) {
    return 32 * rows_of_each(rows) < block ? block : 32;
  }

  // The parts that are added up, [first, end); the others are set to zero.
  int32_t first = 0, end = kCount;

  // The rows of a part, none of one that is not added up.
  ALSBENCH_HOST_DEVICE constexpr int64_t begin_of(int32_t part, int64_t rows) const {
    const int64_t begin = part * rows_of_each(rows);
    return begin < rows ? begin : rows;
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t end_of(int32_t part, int64_t rows) const {
    return part >= first && part < end ? begin_of(part + 1, rows) : begin_of(part, rows);
  }
};

}  // namespace alsbench
