// SPDX-License-Identifier: Apache-2.0
#include "base/median.h"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace alsbench {
namespace {

// Moves those for which `goes_first` is true before the others. Returns the first of the others.
double* part(double* first, const double* last, const auto& goes_first) {
  double* others = first;
  for (double* at = first; at != last; ++at) {
    const double value = *at;
    *at = *others;
    *others = value;
    others += goes_first(value) ? 1 : 0;
  }
  return others;
}

double middle_of_three(double a, double b, double c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

}  // namespace

void select(double* first, double* nth, double* last) {
  constexpr int kMaxParts = 64;  // more are a sign of an unlucky order
  constexpr std::ptrdiff_t kFew = 16;
  for (int parts = 0; parts < kMaxParts && last - first > kFew; ++parts) {
    const double pivot = middle_of_three(*first, first[(last - first) / 2], last[-1]);
    double* middle = part(first, last, [&](double value) { return value < pivot; });
    if (middle == first) {  // the pivot is the least
      middle = part(first, last, [&](double value) { return value <= pivot; });
      if (nth < middle) return;
    }
    (nth < middle ? last : first) = middle;
  }
  std::nth_element(first, nth, last);
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  double* const first = values.data();
  double* const middle = first + values.size() / 2;
  select(first, middle, first + values.size());
  if (values.size() % 2 == 1) return *middle;
  return (*std::max_element(first, middle) + *middle) / 2;
}

}  // namespace alsbench
