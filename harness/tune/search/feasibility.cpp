// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/feasibility.h"

#include <cmath>

namespace alsbench {
namespace {

// At this distance in one parameter, of its whole range, a weight falls to exp(-6).
constexpr double kRange = 6;
constexpr double kPrior = 0.1;  // weight of the share of all points

}  // namespace

Feasibility::Feasibility(const SearchSpace& space)
    : space_(space), ok_(space.size(), 0), all_(space.size(), 0) {}

void Feasibility::add(size_t point, bool ok) {
  ++points_;
  oks_ += ok ? 1 : 0;
  const std::vector<int32_t>& here = space_[point].coordinates;
  for (size_t q = 0; q < space_.size(); ++q) {
    const std::vector<int32_t>& there = space_[q].coordinates;
    double distance = 0;
    for (size_t d = 0; d < here.size(); ++d) {
      if (here[d] == there[d]) continue;
      const Dimension& dimension = space_.dimensions()[d];
      const bool steps = dimension.ordered && here[d] >= 0 && there[d] >= 0;
      distance +=
          steps ? std::abs(here[d] - there[d]) / static_cast<double>(dimension.values.size() - 1)
                : 1;
    }
    const auto weight = static_cast<float>(std::exp(-kRange * distance));
    all_[q] += weight;
    if (ok) ok_[q] += weight;
  }
}

double Feasibility::probability(size_t point) const {
  if (oks_ == points_) return 1;
  const double share = (oks_ + 1) / (points_ + 2);
  return (ok_[point] + kPrior * share) / (all_[point] + kPrior);
}

}  // namespace alsbench
