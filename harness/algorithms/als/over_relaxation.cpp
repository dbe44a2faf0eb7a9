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

void OverRelaxation::keep(const FactorMatrix& x) {
  device_->copy(before_.view().data, x.view().data, x.bytes());
}

void OverRelaxation::apply(FactorMatrix& x) {
  blend_->launch(BlendParams{x.view(), before_.view(), 1 + weight_, -weight_});
}

}  // namespace alsbench
