// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/row_partition.h"

#include <algorithm>

namespace alsbench {
namespace {

// Of the rows before `row`.
int64_t cost_before(const Array<int64_t>& offsets, int64_t row, const RowPartition& rule) {
  return offsets[row] + row * rule.row_cost;
}

// The multiple of the rule's step whose cost before it is nearest to `cost`.
int64_t row_at(const Array<int64_t>& offsets, double cost, const RowPartition& rule) {
  const int64_t rows = offsets.size() - 1;
  const auto before = [&](int64_t step) {
    return static_cast<double>(cost_before(offsets, std::min(rows, step * rule.step), rule));
  };
  int64_t low = 0, high = (rows + rule.step - 1) / rule.step;  // the first of at least that cost
  while (low < high) {
    const int64_t middle = (low + high) / 2;
    if (before(middle) < cost)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > 0 && cost - before(low - 1) < before(low) - cost) --low;
  return std::min(rows, low * rule.step);
}

}  // namespace

std::vector<int64_t> partition_rows(const Array<int64_t>& offsets, const RowPartition& rule) {
  const int64_t rows = offsets.size() - 1;
  const auto total = static_cast<double>(cost_before(offsets, rows, rule));
  std::vector<int64_t> bounds{0};
  for (int member = 1; member < rule.members; ++member)
    bounds.push_back(std::max(bounds.back(), row_at(offsets, total * member / rule.members, rule)));
  bounds.push_back(rows);
  return bounds;
}

double largest_share(const Array<int64_t>& offsets, const RowPartition& rule) {
  const std::vector<int64_t> bounds = partition_rows(offsets, rule);
  int64_t largest = 0;
  for (size_t i = 1; i < bounds.size(); ++i)
    largest = std::max(
        largest, cost_before(offsets, bounds[i], rule) - cost_before(offsets, bounds[i - 1], rule));
  const int64_t total = cost_before(offsets, bounds.back(), rule);
  return total > 0 ? static_cast<double>(largest) / static_cast<double>(total) : 1;
}

}  // namespace alsbench
