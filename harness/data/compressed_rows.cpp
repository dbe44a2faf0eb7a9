// SPDX-License-Identifier: Apache-2.0
#include "harness/data/compressed_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace alsbench {
namespace {

constexpr int64_t kMaxIds = (int64_t{1} << 31) - 1;

[[noreturn]] void fail(const CompressedRows& matrix, const std::string& message) {
  throw UsageError(fmt::format("{}: {}; write the matrix again", matrix.path.string(), message));
}

void check(const CompressedRows& matrix) {
  const int64_t entries = matrix.values.size();
  if (matrix.indices.size() != matrix.values.size()) {
    fail(matrix, fmt::format("{} indices for {} values", matrix.indices.size(), entries));
  }
  if (matrix.offsets.size() < 2 || matrix.offsets.front() != 0 ||
      matrix.offsets.back() != entries) {
    fail(matrix, fmt::format("indptr must begin with 0 and end with the number of values, {}; it "
                             "has {} elements{}",
                             entries, matrix.offsets.size(),
                             matrix.offsets.empty()
                                 ? ""
                                 : fmt::format(" and ends with {}", matrix.offsets.back())));
  }
  for (size_t row = 0; row + 1 < matrix.offsets.size(); ++row) {
    if (matrix.offsets[row] > matrix.offsets[row + 1]) {
      fail(matrix, fmt::format("indptr falls from {} to {} at element {}", matrix.offsets[row],
                               matrix.offsets[row + 1], row + 1));
    }
  }
  const int64_t limit = matrix.cols > 0 ? matrix.cols : kMaxIds;
  const auto outside = [&](int64_t i) {
    return matrix.indices[i] < 0 || matrix.indices[i] >= limit;
  };
  int64_t wrong = entries;                                        // the first entry that is
#pragma omp parallel for schedule(static) reduction(min : wrong)  // cannot throw
  for (int64_t i = 0; i < entries; ++i) {
    if (outside(i) || !std::isfinite(matrix.values[i])) wrong = std::min(wrong, i);
  }
  if (wrong == entries) return;
  if (outside(wrong)) {
    fail(matrix, fmt::format("index {} of entry {} is outside [0, {})", matrix.indices[wrong],
                             wrong + 1, limit));
  }
  fail(matrix, fmt::format("value {} of entry {} is not finite", matrix.values[wrong], wrong + 1));
}

}  // namespace

RawRatings raw_of(CompressedRows matrix) {
  check(matrix);
  const int64_t entries = matrix.values.size();
  if (entries == 0) fail(matrix, "holds no ratings");
  const auto rows = static_cast<int64_t>(matrix.offsets.size()) - 1;
  const int64_t cols =
      matrix.cols > 0
          ? matrix.cols
          : int64_t{*std::max_element(matrix.indices.begin(), matrix.indices.end())} + 1;
  if (rows > kMaxIds || cols > kMaxIds) fail(matrix, "more than 2147483647 rows or columns");
  RawRatings raw;
  raw.values = std::move(matrix.values);
  raw.pieces.push_back({{matrix.path, {}}, 0});
  RawIds& along = matrix.by_columns ? raw.items : raw.users;
  RawIds& across = matrix.by_columns ? raw.users : raw.items;
  along.codes = rows_of_cells(matrix.offsets);
  across.codes = std::move(matrix.indices);
  along.stated = rows;
  across.stated = cols;
  return raw;
}

}  // namespace alsbench
