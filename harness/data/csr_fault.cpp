// SPDX-License-Identifier: Apache-2.0
#include "harness/data/csr_fault.h"

#include <algorithm>
#include <cmath>

namespace alsbench {
namespace {

// The first of [0, count) that `wrong` names, or `count`.
template <class Wrong>
int64_t first_wrong(int64_t count, const Wrong& wrong) {
  constexpr int64_t kOfThreads = 1 << 16;  // fewer are looked through before threads are awake
  int64_t first = count;
#pragma omp parallel for schedule(static) \
    reduction(min                         \
              : first) if (count > kOfThreads)  // cannot throw
  for (int64_t i = 0; i < count; ++i)
    if (wrong(i)) first = std::min(first, i);
  return first;
}

// The first entry of a row whose index is outside the matrix, or not above the one before it.
std::optional<CsrFault> fault_in_row(const Csr& matrix, int64_t row) {
  const int64_t begin = matrix.offsets[row];
  for (int64_t i = begin; i < matrix.offsets[row + 1]; ++i) {
    const int32_t index = matrix.indices[i];
    if (index < 0 || index >= matrix.cols) return CsrFault{CsrFaultKind::index_outside, row, i};
    if (i == begin || index > matrix.indices[i - 1]) continue;
    const bool equal = index == matrix.indices[i - 1];
    return CsrFault{equal ? CsrFaultKind::twice : CsrFaultKind::unsorted, row, i};
  }
  return std::nullopt;
}

}  // namespace

std::optional<CsrFault> find_fault(const Csr& matrix) {
  const int64_t falling = first_wrong(
      matrix.rows, [&](int64_t row) { return matrix.offsets[row] > matrix.offsets[row + 1]; });
  if (falling < matrix.rows) return CsrFault{CsrFaultKind::falling_offsets, falling, 0};
  const int64_t row = first_wrong(
      matrix.rows, [&](int64_t each) { return fault_in_row(matrix, each).has_value(); });
  if (row < matrix.rows) return fault_in_row(matrix, row);
  const int64_t infinite =
      first_wrong(matrix.nnz(), [&](int64_t i) { return !std::isfinite(matrix.values[i]); });
  if (infinite == matrix.nnz()) return std::nullopt;
  const auto after = std::upper_bound(matrix.offsets.begin(), matrix.offsets.end(), infinite);
  return CsrFault{CsrFaultKind::not_finite, after - matrix.offsets.begin() - 1, infinite};
}

}  // namespace alsbench
