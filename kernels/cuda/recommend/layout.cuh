// SPDX-License-Identifier: Apache-2.0
// Where a block of top_k has what in shared memory: factor rows of users and of a tile of items,
// and for each user which items of the tile are seen, a threshold and a count.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

struct TopKLayout {
  int rank = 0;
  int rows = 0;      // of x, of a block at a time
  int items = 0;     // of a tile
  int capacity = 0;  // candidates of a row that the workspace holds

  static constexpr int kThreads = 256;

  ALSBENCH_HOST_DEVICE constexpr int columns() const { return (rank + 7) / 8 * 8; }
  // An odd number of vectors of 16 bytes: 8 rows then lie in different banks.
  ALSBENCH_HOST_DEVICE constexpr int pitch_bytes() const { return 4 * columns() + 16; }
  // Of a row's seen items, a bit each.
  ALSBENCH_HOST_DEVICE constexpr int words() const { return items / 32; }

  ALSBENCH_HOST_DEVICE constexpr int items_at() const { return rows * pitch_bytes(); }
  ALSBENCH_HOST_DEVICE constexpr int seen_at() const { return items_at() + items * pitch_bytes(); }
  ALSBENCH_HOST_DEVICE constexpr int thresholds_at() const {
    return seen_at() + 4 * rows * words();
  }
  ALSBENCH_HOST_DEVICE constexpr int counts_at() const { return thresholds_at() + 4 * rows; }
  ALSBENCH_HOST_DEVICE constexpr int shared_bytes() const { return counts_at() + 4 * rows; }

  // A row keeps its best k and must have room for a tile besides them.
  ALSBENCH_HOST_DEVICE constexpr int max_k() const {
    return capacity / 2 < capacity - items ? capacity / 2 : capacity - items;
  }
  ALSBENCH_HOST_DEVICE constexpr int64_t block_candidates() const {
    return int64_t{rows} * capacity;
  }
};

}  // namespace alsbench
