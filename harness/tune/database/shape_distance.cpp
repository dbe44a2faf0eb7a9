// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/shape_distance.h"

#include <algorithm>
#include <cmath>

namespace alsbench {
namespace {

double doublings(double a, double b) {
  constexpr double kMinValue = 0.5;
  return std::log2(std::max(a, kMinValue) / std::max(b, kMinValue));
}

double size(int64_t count) { return static_cast<double>(count); }

}  // namespace

double shape_distance(const Shape& a, const Shape& b) {
  return std::hypot(std::hypot(doublings(a.rank, b.rank), doublings(size(a.rows), size(b.rows))),
                    std::hypot(doublings(size(a.cols), size(b.cols)),
                               doublings(a.mean_row_length(), b.mean_row_length())));
}

bool is_near(const Shape& a, const Shape& b) {
  if (a.sizes != b.sizes) return false;
  const auto near = [](double x, double y, double maximum = kMaxDoublings) {
    return std::abs(doublings(x, y)) <= maximum;
  };
  return near(a.rank, b.rank, kMaxRankDoublings) && near(size(a.rows), size(b.rows)) &&
         near(size(a.cols), size(b.cols)) && near(size(a.nnz), size(b.nnz)) &&
         near(a.mean_row_length(), b.mean_row_length());
}

std::vector<const TunedEntry*> nearest_first(const Shape& shape,
                                             const std::vector<const TunedEntry*>& entries) {
  std::vector<const TunedEntry*> sorted;
  for (const TunedEntry* entry : entries)
    if (is_near(entry->shape, shape)) sorted.push_back(entry);
  const auto place = [&](const TunedEntry* entry) {
    return std::pair(std::abs(doublings(entry->shape.rank, shape.rank)),
                     shape_distance(entry->shape, shape));
  };
  std::ranges::stable_sort(
      sorted, [&](const TunedEntry* a, const TunedEntry* b) { return place(a) < place(b); });
  return sorted;
}

}  // namespace alsbench
