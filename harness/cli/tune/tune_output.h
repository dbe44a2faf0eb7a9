// SPDX-License-Identifier: Apache-2.0
// Output of the commands of `alsbench tune`: progress, warnings and the final table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/cli/progress/progress_report.h"
#include "harness/tune/search/tuner.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

// The progress of one search: a piece of work a point, and one for the playoff.
class TuneProgress {
 public:
  // `what` is searched, as a kind of work: "hermitian", "x/solve".
  TuneProgress(ProgressReport& report, const SearchSpace& space, std::string what);
  // Plans the points, and hears of the tuning with these options; it must outlive that.
  void listen(TuneOptions& tune);
  void end();  // nothing more of this search is to come

 private:
  void start(std::optional<size_t> point);
  void show(const Progress& progress);

  ProgressReport& report_;
  const SearchSpace& space_;
  std::string what_;
  std::vector<size_t> items_;
  std::optional<size_t> playoff_;
  size_t next_ = 0, best_ = static_cast<size_t>(-1);
  double waited_ = 0;  // for the compiler, so far
  bool running_ = false;
};

// Best, tie set and default, a row each.
std::string tuning_table(const TuningResult& result, const SearchSpace& space,
                         const Objective& objective);

// On stderr, where other work on the machine disturbed samples.
void warn_of_disturbances(const TuningWorker& worker);

}  // namespace alsbench
