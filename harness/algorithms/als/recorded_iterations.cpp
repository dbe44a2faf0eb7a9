// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/recorded_iterations.h"

#include "variants/als/parameters.h"

namespace alsbench {

RecordedIterations::RecordedIterations(const DeviceProblem& problem, StageClock& clock,
                                       const Stages& stages)
    : clock_(clock) {
  if (!problem.member().alone() || problem.streamed() != nullptr) return;
  early_ = clock.record([&] { stages(parameters::kEarlyIterations); });
  late_ = clock.record([&] { stages(parameters::kEarlyIterations + 1); });
}

bool RecordedIterations::run(int iteration) {
  StageClock::Recording* const recording =
      (iteration > parameters::kEarlyIterations ? late_ : early_).get();
  if (recording != nullptr) clock_.run(*recording);
  return recording != nullptr;
}

}  // namespace alsbench
