// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/judge/launch_progress.h"

#include <fmt/format.h>

namespace alsbench {

LaunchProgress::LaunchProgress(const std::string& command, const ProgressOptions& options,
                               const TwoPhaseDesign& design)
    : design_(design), report_(command, options.chosen()) {
  plan(Phase::screening, design.screening_launches);
  if (design.budget_seconds > 0) report_.set_time_limit(design.budget_seconds);
}

void LaunchProgress::listen(Launcher& launcher) {
  launcher.listen(
      {.on_launch = [this](const LaunchPlace& place, size_t cases) { begin(place, cases); },
       .on_launched =
           [this](const std::string& line) {
             report_.note(line);
             report_.finish_started();
             ++next_;
           }});
}

void LaunchProgress::plan(Phase phase, int64_t launches) {
  for (int64_t i = 0; i < 2 * launches; ++i)
    planned_ = 1 + report_.add({fmt::format("launch {}: {}", planned_ + 1, name_of(phase)),
                                fmt::format("launch/{}", name_of(phase)), 1});
}

void LaunchProgress::begin(const LaunchPlace& place, size_t cases) {
  if (place.phase != phase_) {  // the screening may have been cut short
    phase_ = place.phase;
    while (next_ < planned_) report_.drop(next_++);
    looks_ = phase_ == Phase::counting ? std::vector<int64_t>{1}
                                       : planned_looks(design_, static_cast<int64_t>(cases));
    looked_ = 0;
  }
  if (next_ == planned_) {
    const int64_t before = looked_ > 0 ? looks_.at(looked_ - 1) : 0;
    plan(phase_, looks_.at(looked_++) - before);
  }
  report_.start(next_);
}

}  // namespace alsbench
