// SPDX-License-Identifier: Apache-2.0
// Change points of one series: places from which on its level is another one, and creeps. Least
// squares find where the levels change. Mann and Whitney's test tells which of the changes exceed
// noise. Method: docs/explanation/ci.md.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harness/judge/comparison.h"

namespace alsbench {

struct ChangeRules {
  int64_t window = 12;  // runs at both ends of a level that are compared for a creep
  int64_t fewest = 6;   // of a level
  double bound = 0.01;  // relative change that matters
  double alpha = 0.01;  // of the adjusted p
};

struct ChangePoint {
  size_t at = 0;  // the first value of the new level
  // Of the levels before and after. Its p is that of these two, its adjusted p that of the best of
  // all places between the ends of both.
  CaseComparison comparison = {};
  double p = 1;  // of the best of all places of the series
  // Of a creep, small changes whose sum is the comparison's: the value that the last may come with.
  // The first may come with `at`. Both p are those of its clearest part.
  std::optional<size_t> creep_last = {};
};

// In order of place. `logs` are logarithms of times.
std::vector<ChangePoint> change_points(const std::vector<double>& logs, const ChangeRules& rules);

// Places of a series of so many values at which a level may begin.
int64_t places_of(int64_t values, const ChangeRules& rules);
// The fewest values with which a change at any place of a series among `family` is told from noise.
int64_t values_needed(int64_t family, const ChangeRules& rules);

}  // namespace alsbench
