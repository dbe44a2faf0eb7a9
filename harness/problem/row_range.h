// SPDX-License-Identifier: Apache-2.0
// RowRange: some consecutive rows of a matrix.
#pragma once

#include <cstdint>

namespace alsbench {

struct RowRange {
  int64_t first = 0;
  int64_t count = 0;

  int64_t end() const { return first + count; }
};

}  // namespace alsbench
