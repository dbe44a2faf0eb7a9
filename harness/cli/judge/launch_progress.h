// SPDX-License-Identifier: Apache-2.0
// LaunchProgress: the progress of `ab` and `aa`, whose pieces of work are launches. As many are
// planned as it takes to the next look at the data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/cli/progress/progress_report.h"
#include "harness/judge/launcher.h"

namespace alsbench {

class LaunchProgress {
 public:
  // `design.screening_launches` of each build come first; `aa` has no others.
  LaunchProgress(const std::string& command, const ProgressOptions& options,
                 const TwoPhaseDesign& design);
  // Hears of its launches; it must outlive them.
  void listen(Launcher& launcher);
  void end() { report_.end(); }

 private:
  void begin(const LaunchPlace& place, size_t cases);
  void plan(Phase phase, int64_t launches);

  TwoPhaseDesign design_;
  ProgressReport report_;
  std::vector<int64_t> looks_;  // of the phase, in launches of each build
  size_t next_ = 0, planned_ = 0, looked_ = 0;
  Phase phase_ = Phase::screening;
};

}  // namespace alsbench
