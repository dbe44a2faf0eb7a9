// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/database/shape_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace alsbench {
namespace {

double doublings(double a, double b) {
  constexpr double kLeast = 0.5;
  return std::log2(std::max(a, kLeast)) - std::log2(std::max(b, kLeast));
}

std::array<int, 5> coordinates(const Shape& shape) {
  const ShapeBucket bucket = bucket_of(shape);
  return {bucket.rank, bucket.rows, bucket.cols, bucket.nnz, bucket.mean_row_length};
}

}  // namespace

double shape_distance(const Shape& a, const Shape& b) {
  const auto size = [](int64_t count) { return static_cast<double>(count); };
  return std::hypot(std::hypot(doublings(a.rank, b.rank), doublings(size(a.rows), size(b.rows))),
                    std::hypot(doublings(size(a.cols), size(b.cols)),
                               doublings(a.mean_row_length(), b.mean_row_length())));
}

bool inside_range(const Shape& shape, const std::vector<const TunedEntry*>& entries) {
  if (entries.empty()) return false;
  std::array<int, 5> least = coordinates(entries.front()->shape), most = least;
  for (const TunedEntry* entry : entries) {
    const auto own = coordinates(entry->shape);
    for (size_t i = 0; i < own.size(); ++i) {
      least[i] = std::min(least[i], own[i]);
      most[i] = std::max(most[i], own[i]);
    }
  }
  const auto asked = coordinates(shape);
  for (size_t i = 0; i < asked.size(); ++i)
    if (asked[i] < least[i] || asked[i] > most[i]) return false;
  return true;
}

std::vector<const TunedEntry*> nearest_first(const Shape& shape,
                                             const std::vector<const TunedEntry*>& entries) {
  std::vector<const TunedEntry*> sorted = entries;
  const auto place = [&](const TunedEntry* entry) {
    return std::pair(std::abs(doublings(entry->shape.rank, shape.rank)),
                     shape_distance(entry->shape, shape));
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](const TunedEntry* a, const TunedEntry* b) { return place(a) < place(b); });
  return sorted;
}

}  // namespace alsbench
