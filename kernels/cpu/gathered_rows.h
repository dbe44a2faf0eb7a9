// SPDX-License-Identifier: Apache-2.0
// The factor rows that a row of ratings names, gathered for CG that never forms A_u: each product
// reads them again. Those of a long row are gathered a part at a time.
#pragma once

#include <algorithm>

#include "kernels/cpu/factor_rows.h"

namespace alsbench {

// How much a thread gathers, in bytes.
struct GatherLimits {
  int64_t whole = int64_t{16} << 20;  // of rows that are gathered once
  int64_t part = int64_t{512} << 10;  // of longer ones: it stays in the cache of a core
  int64_t all = int64_t{256} << 20;   // of all threads
};

// Factor rows, in whole groups of add_products, so sums do not depend on where a row is parted.
struct GatherSize {
  // That a thread's memory holds: the longest row that is gathered once, at least.
  int64_t capacity;
  // That are gathered at a time of a row that it does not hold.
  int64_t part;
};

// Of `rows` rows of ratings with these offsets.
inline GatherSize gather_size(const int64_t* offsets, int64_t rows, int64_t ld, int threads,
                              const GatherLimits& limits) {
  const int64_t row_bytes = ld * static_cast<int64_t>(sizeof(float));
  const auto groups_in = [&](int64_t bytes) {
    return std::max<int64_t>(1, bytes / (kProductRows * row_bytes));
  };
  const int64_t whole = kProductRows * groups_in(std::min(limits.whole, limits.all / threads));
  int64_t longest = 0;
  for (int64_t row = 0; row < rows; ++row)
    if (const int64_t count = offsets[row + 1] - offsets[row]; count <= whole)
      longest = std::max(longest, count);
  const int64_t part = std::min(whole, kProductRows * groups_in(limits.part));
  return {std::max(part, (longest + kProductRows - 1) / kProductRows * kProductRows), part};
}

// A thread's memory, in vectors of `ld` floats with zeros from rank on.
struct GatherBuffer {
  int64_t ld;
  GatherSize size;
  float* factors;

  // Factor rows of a row of ratings that are gathered at a time.
  int64_t step(const RatingRow& row) const {
    return row.count <= size.capacity ? size.capacity : size.part;
  }

  void gather(const FactorsView& source, bool half, const RatingRow& row, int64_t first,
              int64_t count) const {
    constexpr int64_t kAhead = 24;  // rows on their way, enough to hide the memory's latency
    for (int64_t k = 0; k < count; ++k) {
      if (const int64_t next = first + k + kAhead; next < row.after)
        prefetch_factor_row(source, half, row.indices[next]);
      float* target = factors + k * ld;
      read_factor_row(source, half, row.indices[first + k], target);
      std::fill(target + source.rank, target + ld, 0.0f);
    }
  }
};

// Floats of a vector of the buffer.
inline int64_t gathered_pitch(int rank) {
  return (rank + kWidestVector - 1) / kWidestVector * kWidestVector;
}

}  // namespace alsbench
