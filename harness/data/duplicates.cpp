// SPDX-License-Identifier: Apache-2.0
#include "harness/data/duplicates.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "base/error.h"
#include "harness/data/csr_rows.h"

namespace alsbench {
namespace {

bool repeats(const Csr& matrix, int64_t row, int64_t i) {
  return i > matrix.offsets[row] && matrix.indices[i] == matrix.indices[i - 1];
}

int64_t distinct_cells(const Csr& matrix, int64_t row) {
  int64_t count = 0;
  for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i) {
    count += !repeats(matrix, row, i);
  }
  return count;
}

// The value of the equal cells [begin, end).
float merged(const Csr& matrix, int64_t begin, int64_t end, Duplicates mode) {
  if (mode == Duplicates::last) return matrix.values[end - 1];
  double sum = 0;
  for (int64_t i = begin; i < end; ++i) sum += static_cast<double>(matrix.values[i]);
  return static_cast<float>(mode == Duplicates::sum ? sum : sum / static_cast<double>(end - begin));
}

}  // namespace

Csr resolve_duplicates(const Csr& matrix, Duplicates mode,
                       const std::function<std::string(int64_t row, int32_t col)>& describe) {
  ArrayBuilder<int64_t> lengths(matrix.rows + 1);
  int64_t cells = 0;
#pragma omp parallel for schedule(dynamic, 1024) reduction(+ : cells)  // cannot throw
  for (int64_t row = 0; row < matrix.rows; ++row)
    cells += lengths[row + 1] = distinct_cells(matrix, row);
  if (cells == matrix.nnz()) return matrix;
  CsrRows distinct(std::move(lengths));
  int64_t place = 0;
  for (int64_t row = 0; row < matrix.rows; ++row) {
    int64_t end = 0;
    for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; i = end) {
      end = i + 1;
      while (end < matrix.offsets[row + 1] && repeats(matrix, row, end)) ++end;
      if (end > i + 1 && mode == Duplicates::error) {
        throw UsageError(describe(row, matrix.indices[i]) +
                         "; remove one, or choose --duplicates last, mean or sum");
      }
      const float value = merged(matrix, i, end, mode);
      distinct.put(place, matrix.indices[i], value);
      if (!std::isfinite(value)) {
        throw UsageError(describe(row, matrix.indices[i]) +
                         ", and their sum is beyond the largest float; correct one, or choose "
                         "--duplicates last or mean");
      }
    }
  }
  return distinct.matrix(matrix.cols);
}

}  // namespace alsbench
