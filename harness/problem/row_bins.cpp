// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/row_bins.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace alsbench {
namespace {

int64_t longest_short_row(const std::string& order) {
  const std::string kind = "long=";
  if (!order.starts_with(kind))
    throw std::invalid_argument("'" + order + "' is no order of rows by their length");
  return std::stoll(order.substr(kind.size()));
}

}  // namespace

RowBins::RowBins(Device& device, const Csr& ratings, const std::string& order) {
  if (order.empty()) return;
  const int64_t bound = longest_short_row(order);
  std::vector<RowBin> rows;
  for (int32_t row = 0; row < ratings.rows; ++row) {
    const int64_t begin = ratings.offsets[row], count = ratings.offsets[row + 1] - begin;
    if (count > 0) rows.push_back({begin, row, static_cast<int32_t>(count)});
  }
  const auto short_rows = std::stable_partition(
      rows.begin(), rows.end(), [&](const RowBin& row) { return row.count > bound; });
  std::stable_sort(rows.begin(), short_rows,
                   [](const RowBin& a, const RowBin& b) { return a.count > b.count; });
  long_rows_ = short_rows - rows.begin();
  count_ = static_cast<int64_t>(rows.size());
  rows_ = device.allocate(count_ * static_cast<int64_t>(sizeof(RowBin)));
  if (count_ > 0) device.upload(rows_.data(), rows.data(), rows_.bytes());
}

}  // namespace alsbench
