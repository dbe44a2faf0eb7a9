// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/drawn_subsample.h"

#include "harness/algorithms/als/prepared.h"
#include "variants/als/stages.h"

namespace alsbench {

DrawnSubsample::DrawnSubsample(const DeviceProblem& problem, Side side, SubsampleRule rule,
                               uint64_t seed)
    : subsample_(problem, side, rule),
      params_(subsample_.params(seed)),
      stage_(prepared(problem, &stages::subsample, "rows", side)) {}

DrawnSubsample DrawnSubsample::averaged_residuals(float mean) && {
  params_.mean = mean;
  params_.averaged = 1;
  return std::move(*this);
}

void DrawnSubsample::draw() { stage_->launch(params_); }

}  // namespace alsbench
