// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/energy_front.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace alsbench {

const PointEnergy& EnergyFront::thriftiest() const {
  return *std::ranges::min_element(
      points, [](const auto& a, const auto& b) { return a.energy.joules < b.energy.joules; });
}

EnergyFront energy_front(SearchObjective objective, std::vector<PointEnergy> points) {
  std::ranges::stable_sort(points, [](const auto& a, const auto& b) {
    return std::pair(a.seconds, a.energy.joules) < std::pair(b.seconds, b.energy.joules);
  });
  double least = std::numeric_limits<double>::infinity();
  for (PointEnergy& point : points) {
    point.on_front = point.energy.joules < least;
    least = std::min(least, point.energy.joules);
  }
  return {objective, std::move(points)};
}

std::vector<size_t> energy_candidates(const TuningResult& result, const SearchSpace& space,
                                      size_t maximum) {
  constexpr double kSlowest = 2;  // times the best
  std::vector<std::pair<double, size_t>> order;
  for (const Evaluation& evaluation : result.points)
    if (evaluation.ok() && evaluation.median() <= kSlowest * result.best_seconds)
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
  fields("point", &PointEnergy::point);
  fields("seconds", &PointEnergy::seconds, "median of its samples in the search")
      .range(Range::Kind::above_0);
  fields("energy", &PointEnergy::energy);
  fields("on_front", &PointEnergy::on_front,
         "no other point takes no more time and energy and less of one");
}

void describe(Fields<EnergyFront>& fields) {
  fields.record("energy_front", "Points of a search by time and by energy.");
  fields("objective", &EnergyFront::objective, "energy or front, as it was asked for");
  fields("points", &EnergyFront::points, "the fastest first");
}

}  // namespace alsbench
