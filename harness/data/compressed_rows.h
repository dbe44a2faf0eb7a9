// SPDX-License-Identifier: Apache-2.0
// CSR arrays as binary files hold them, checked and turned into raw ratings.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "harness/data/raw_ratings.h"

namespace alsbench {

struct CompressedRows {
  std::filesystem::path path;  // of messages
  std::vector<int64_t> offsets;
  Array<int32_t> indices;
  Array<float> values;
  int64_t cols = 0;         // 0: the largest index says it
  bool by_columns = false;  // CSC: rows and columns change places
};

// Throws UsageError naming the first offending entry.
RawRatings raw_of(CompressedRows matrix);

}  // namespace alsbench
