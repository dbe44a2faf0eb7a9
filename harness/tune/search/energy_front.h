// SPDX-License-Identifier: Apache-2.0
// EnergyFront: points of a search by time and by energy. None of the front has another that takes
// no more of both and less of one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/record/energy_record.h"
#include "harness/tune/search/tuner.h"

namespace alsbench {

// Aim of a search, as --objective spells it.
enum class SearchObjective { time, energy, front };

struct PointEnergy {
  PointRecord point;
  double seconds = 0;  // median of its samples in the search
  EnergyRecord energy;
  bool on_front = false;
};

struct EnergyFront {
  SearchObjective objective = SearchObjective::energy;
  std::vector<PointEnergy> points;  // by time, the fastest first
  // Of the least energy; points_ must not be empty.
  const PointEnergy& thriftiest() const;
};

// Sorts the points, and says which are on the front.
EnergyFront energy_front(SearchObjective objective, std::vector<PointEnergy> points);

// Points worth measuring: those that take at most twice the best time, the fastest first, at most
// `maximum`; the choice and the default are among them.
std::vector<size_t> energy_candidates(const TuningResult& result, const SearchSpace& space,
                                      size_t maximum = 40);

void describe(Fields<PointEnergy>& fields);
void describe(Fields<EnergyFront>& fields);

}  // namespace alsbench
