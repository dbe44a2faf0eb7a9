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
  const auto entries = static_cast<int64_t>(matrix.values.size());
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
  const auto outside = [&](size_t i) {
    return matrix.indices[i] < 0 || matrix.indices[i] >= limit;
  };
  size_t wrong = matrix.values.size();                            // the first entry that is
#pragma omp parallel for schedule(static) reduction(min : wrong)  // cannot throw
  for (size_t i = 0; i < matrix.values.size(); ++i) {
    if (outside(i) || !std::isfinite(matrix.values[i])) wrong = std::min(wrong, i);
  }
  if (wrong == matrix.values.size()) return;
  if (outside(wrong)) {
    fail(matrix, fmt::format("index {} of entry {} is outside [0, {})", matrix.indices[wrong],
                             wrong + 1, limit));
  }
  fail(matrix, fmt::format("value {} of entry {} is not finite", matrix.values[wrong], wrong + 1));
}

}  // namespace

RawRatings raw_of(CompressedRows matrix) {
  check(matrix);
  if (matrix.values.empty()) fail(matrix, "holds no ratings");
  const auto rows = static_cast<int64_t>(matrix.offsets.size()) - 1;
  const int64_t cols = matrix.cols > 0
                           ? matrix.cols
                           : *std::max_element(matrix.indices.begin(), matrix.indices.end()) + 1;
  if (rows > kMaxIds || cols > kMaxIds) fail(matrix, "more than 2147483647 rows or columns");
  RawRatings raw;
  raw.values = std::move(matrix.values);
  raw.pieces.push_back({matrix.path, 0, {}});
  std::vector<uint64_t>& along = matrix.by_columns ? raw.items.numbers : raw.users.numbers;
  std::vector<uint64_t>& across = matrix.by_columns ? raw.users.numbers : raw.items.numbers;
  along.resize(matrix.indices.size());
  across.assign(matrix.indices.begin(), matrix.indices.end());
#pragma omp parallel for schedule(dynamic, 1024)  // cannot throw
  for (int64_t row = 0; row < rows; ++row) {
    const size_t at = static_cast<size_t>(row);
    std::fill(along.begin() + matrix.offsets[at], along.begin() + matrix.offsets[at + 1],
              static_cast<uint64_t>(row));
  }
  raw.stated_rows = matrix.by_columns ? cols : rows;
  raw.stated_cols = matrix.by_columns ? rows : cols;
  return raw;
}

}  // namespace alsbench
