// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/over_relaxation.h"

#include "harness/algorithms/als/prepared.h"
#include "kernels/shared/params/start.h"
#include "variants/als/stages.h"

namespace alsbench {

OverRelaxation::OverRelaxation(const DeviceProblem& problem, float weight)
    : device_(&problem.device()),
      weight_(weight),
      blend_(prepared(problem, &stages::blend, "elements", Side::x)),
      before_(problem.device(), problem.ratings(Side::x).rows, problem.rank()) {}

double OverRelaxation::keep(const FactorMatrix& x) {
  return device_->time([&] { device_->copy(before_.view().data, x.view().data, x.bytes()); })
      .seconds;
}

double OverRelaxation::apply(FactorMatrix& x) {
  const BlendParams params{x.view(), before_.view(), 1 + weight_, -weight_};
  return device_->time([&] { blend_->launch(params); }).seconds;
}

}  // namespace alsbench
