// SPDX-License-Identifier: Apache-2.0
// RunProgress: the progress of `alsbench run`. A case is two pieces of work, its preparation and
// its samples, or one training. Each one's expected cost comes from the stop rule, and from the
// rank and the iterations of a training; cases that ended correct it. The first preparation on a
// device teaches nothing of the others: it opens the device, too.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "harness/cli/progress/progress_report.h"
#include "harness/sweep/sweep.h"

namespace alsbench {

class RunProgress {
 public:
  RunProgress(ProgressMode mode, const StopRule& sampling, bool profile, bool counters);

  void plan(const Case& c, int64_t launch);
  void begin_launch(int64_t launch) { launch_ = launch; }
  void on_event(const SweepEvent& event);
  void drop(const std::string& name);  // the case of this launch costs nothing more
  void note(const std::string& line) { report_.note(line); }
  void end() { report_.end(); }

 private:
  using Key = std::pair<std::string, int64_t>;    // of a case, and the launch
  size_t item_of(const Case& c, SweepStep step);  // what was not planned is as it begins

  StopRule sampling_;
  bool profile_, counters_;
  ProgressReport report_;
  std::map<std::pair<SweepStep, Key>, size_t> items_;
  std::set<std::pair<std::string, int64_t>> begun_;  // devices in launches
  int64_t launch_ = 0;
};

}  // namespace alsbench
