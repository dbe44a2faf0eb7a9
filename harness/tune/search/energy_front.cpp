// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/energy_front.h"

#include <algorithm>
#include <utility>

namespace alsbench {

std::vector<size_t> energy_candidates(const TuningResult& result, const SearchSpace& space,
                                      size_t maximum) {
  std::vector<std::pair<double, size_t>> order;
  for (const Evaluation& evaluation : result.points)
    if (evaluation.ok() && evaluation.median() <= kSlowestForEnergy * result.best_seconds)
      order.emplace_back(evaluation.median(), evaluation.point);
  std::ranges::sort(order);
  order.resize(std::min(order.size(), maximum));
  std::vector<size_t> points;
  for (const auto& [seconds, point] : order) points.push_back(point);
  for (const size_t needed : {result.best, space.default_point()}) {
    const bool ok = std::ranges::any_of(result.points, [&](const Evaluation& evaluation) {
      return evaluation.point == needed && evaluation.ok();
    });
    if (ok && std::ranges::find(points, needed) == points.end()) points.push_back(needed);
  }
  return points;
}

void describe(Fields<PointEnergy>& fields) {
  fields.record("point_energy", "Time and energy of a point.");
  fields("point", &PointEnergy::item);
  describe_energy(fields, "median of its samples in the search");
}

void describe(Fields<PointEnergyFront>& fields) {
  fields.record("energy_front", "Points of a search by time and by energy.");
  describe_front(fields);
}

}  // namespace alsbench
