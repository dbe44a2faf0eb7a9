// SPDX-License-Identifier: Apache-2.0
// EnergyFront: what a search found by time and by energy. None of the front has another that takes
// no more of both and less of one.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/record/energy_record.h"
#include "harness/tune/search/tuner.h"

namespace alsbench {

// Aim of a search, as --objective spells it.
enum class SearchObjective { time, energy, front };

template <typename Item>
struct ItemEnergy {
  Item item;
  double seconds = 0;
  EnergyRecord energy;
  bool on_front = false;
};

template <typename Item>
struct EnergyFront {
  SearchObjective objective = SearchObjective::energy;
  std::vector<ItemEnergy<Item>> points;  // by time, the fastest first
  // Of the least energy; points must not be empty.
  const ItemEnergy<Item>& thriftiest() const {
    return *std::ranges::min_element(
        points, [](const auto& a, const auto& b) { return a.energy.joules < b.energy.joules; });
  }
};

// Sorts the points, and says which are on the front.
template <typename Item>
EnergyFront<Item> energy_front(SearchObjective objective, std::vector<ItemEnergy<Item>> points) {
  std::ranges::stable_sort(points, [](const auto& a, const auto& b) {
    return std::pair(a.seconds, a.energy.joules) < std::pair(b.seconds, b.energy.joules);
  });
  double least = std::numeric_limits<double>::infinity();
  for (ItemEnergy<Item>& point : points) {
    point.on_front = point.energy.joules < least;
    least = std::min(least, point.energy.joules);
  }
  return {objective, std::move(points)};
}

// A point of a search space; its seconds are the median of its samples in the search.
using PointEnergy = ItemEnergy<PointRecord>;
using PointEnergyFront = EnergyFront<PointRecord>;

// Points worth measuring: those that take at most twice the best time, the fastest first, at most
// `maximum`; the choice and the default are among them.
std::vector<size_t> energy_candidates(const TuningResult& result, const SearchSpace& space,
                                      size_t maximum = 40);

// Times the best: what takes longer would have to run at less than half the power.
inline constexpr double kSlowestForEnergy = 2;

// Declares the fields that fronts of all items share.
template <typename Item>
void describe_energy(Fields<ItemEnergy<Item>>& fields, std::string_view seconds) {
  using P = ItemEnergy<Item>;
  fields("seconds", &P::seconds, seconds).range(Range::Kind::above_0);
  fields("energy", &P::energy);
  fields("on_front", &P::on_front, "no other takes no more time and energy and less of one");
}
template <typename Item>
void describe_front(Fields<EnergyFront<Item>>& fields) {
  using F = EnergyFront<Item>;
  fields("objective", &F::objective, "energy or front, as it was asked for");
  fields("points", &F::points, "the fastest first");
}

void describe(Fields<PointEnergy>& fields);
void describe(Fields<PointEnergyFront>& fields);

}  // namespace alsbench
