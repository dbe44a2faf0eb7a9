// SPDX-License-Identifier: Apache-2.0
// JointObjective: a point on several shapes at once. Its seconds are the geometric mean of those on
// each, so a share of time counts the same on a small shape and on a large one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/tune/search/portability.h"
#include "harness/tune/search/tuner.h"
#include "harness/tune/stage/live_objective.h"

namespace alsbench {

class JointObjective : public Objective {
 public:
  // One at least; all must outlive it. `names` are of their shapes, in the same order.
  JointObjective(std::vector<Objective*> shapes, std::vector<std::string> names);

  void announce(const std::vector<size_t>& points, const std::vector<size_t>& guesses) override;
  // A point that fails on one shape has failed.
  Evaluation measure(size_t point, int64_t samples, double give_up_seconds) override;
  double elapsed_seconds() const override;
  // Nothing: a mean of shapes has no ceiling.
  std::optional<double> share_of_ceiling(size_t point, double seconds) const override;

 private:
  std::vector<Objective*> shapes_;
  std::vector<std::string> names_;
};

// Shapes as platforms, by all samples of the search.
std::vector<Platform> platforms_of(const TuningResult& result, const SearchSpace& space,
                                   const std::vector<std::string>& names);

}  // namespace alsbench
