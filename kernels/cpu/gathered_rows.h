// SPDX-License-Identifier: Apache-2.0
// The factor rows that a row of ratings names, gathered for CG that never forms A_u: each product
// reads them again. Those of a long row are gathered a part at a time.
#pragma once

#include <algorithm>

#include "kernels/cpu/factor_rows.h"

namespace alsbench {

// A thread's memory, in vectors of `ld` floats with zeros from rank on.
struct GatherBuffer {
  int64_t ld;
  int64_t capacity;  // factor rows
  float* factors;

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
// Factor rows that a thread gathers at most: whole groups of add_products, so its sums do not
// depend on where a row is parted.
inline int64_t gather_capacity(int64_t longest_row, int64_t ld, int threads) {
  constexpr int64_t kMaxBytes = int64_t{256} << 20;  // of all threads
  const int64_t group_bytes = kProductRows * ld * static_cast<int64_t>(sizeof(float));
  const int64_t needed = (longest_row + kProductRows - 1) / kProductRows;
  return kProductRows *
         std::clamp<int64_t>(needed, 1, std::max<int64_t>(1, kMaxBytes / (group_bytes * threads)));
}

}  // namespace alsbench
