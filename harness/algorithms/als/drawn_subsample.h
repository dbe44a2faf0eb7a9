// SPDX-License-Identifier: Apache-2.0
// DrawnSubsample: a subsample of a side's ratings, and the compiled stage that draws it.
#pragma once

#include <memory>

#include "harness/problem/ratings_subsample.h"

namespace alsbench {

class DrawnSubsample {
 public:
  // Of the ratings as they are.
  DrawnSubsample(const DeviceProblem& problem, Side side, SubsampleRule rule, uint64_t seed);
  // The same with (r - mean) / n in place of r, in a row of n subsampled ratings.
  DrawnSubsample averaged_residuals(float mean) &&;

  RatingsView view() const { return subsample_.view(); }
  void draw();  // enqueued

 private:
  RatingsSubsample subsample_;
  SubsampleParams params_;
  std::unique_ptr<Executable> stage_;
};

}  // namespace alsbench
