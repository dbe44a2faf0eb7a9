// SPDX-License-Identifier: Apache-2.0
// Feasibility: how probable it is that a point can be measured at all. Points fail where a resource
// of the device is exceeded, so failures lie together, mostly far from where they hurt the times: a
// failure has no time, and says nothing of the times around it.
#pragma once

#include <cstddef>
#include <vector>

#include "harness/tune/space/search_space.h"

namespace alsbench {

class Feasibility {
 public:
  explicit Feasibility(const SearchSpace& space);

  void add(size_t point, bool ok);
  // The share of successes near the point, each weighed by exp(-distance), and drawn towards the
  // share of all where little is near. 1 as long as nothing failed.
  double probability(size_t point) const;

 private:
  const SearchSpace& space_;
  std::vector<float> ok_, all_;  // of each point: sums of weights
  double oks_ = 0, points_ = 0;
};

}  // namespace alsbench
