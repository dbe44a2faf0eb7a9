// SPDX-License-Identifier: Apache-2.0
// RecordedIterations: the stages of an iteration, recorded once, for the device to run as a whole.
// Launching kernels one by one takes longer than running them where ratings are few.
#pragma once

#include <functional>
#include <memory>

#include "harness/algorithms/als/half_iteration.h"
#include "harness/train/stage_clock.h"

namespace alsbench {

class RecordedIterations {
 public:
  // Enqueues the stages of an iteration by a clock. The same ones in all early iterations and in
  // all late ones (HalfIteration::begin).
  using Stages = std::function<void(int iteration)>;

  // Records where the device can. Nothing in a team, whose members wait for each other, and where
  // ratings are streamed.
  RecordedIterations(const DeviceProblem& problem, StageClock& clock, const Stages& stages);
  // Enqueues an iteration. False, and nothing is done, where it was not recorded.
  bool run(int iteration);

 private:
  StageClock& clock_;
  std::unique_ptr<StageClock::Recording> early_, late_;
};

}  // namespace alsbench
