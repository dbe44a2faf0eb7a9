// SPDX-License-Identifier: Apache-2.0
// The options of `alsbench run` and `alsbench profile`, in groups of which `plan` has some. Read by
// the run (run_command.cpp), by what they select (run_selection.h) and by the commands that go on
// from a run (repeat_command.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/app.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/cli/run/result_files.h"
#include "harness/data/data_request.h"

namespace alsbench {

// --resume without a name: the journal that the run would write.
constexpr const char* kOwnJournal = "its own";

struct RunOptions {
  std::vector<std::string> suites, axes, variants;
  std::string filter, device, shard, resume, database;
  ResultNames results;
  // Ratings in place of those of the suite, and what else replaces its problems.
  DataRequest data;
  std::optional<int32_t> rank;
  std::optional<double> lambda;
  std::optional<uint64_t> seed;
  std::optional<double> scale, max_noise, timeout, hang_timeout;
  std::optional<int64_t> min_samples, max_samples;
  int64_t launches = 1;
  bool fresh = false, retry_failed = false, dry_run = false;
  bool counters = false, energy = false;
  bool profile = false, ncu = false;  // of `profile`: execute once; print Nsight Compute's command
  ProgressOptions progress;

  bool names_ratings() const {
    return !data.path.empty() || !data.dataset.empty() || data.has_sizes();
  }
  bool names_journal() const { return !resume.empty() && resume != kOwnJournal; }
};

// Which cases: filters, axes, ratings, rank, data.
void add_case_options(CLI::App& command, RunOptions& options);
// How often cases are measured.
void add_sampling_options(CLI::App& command, RunOptions& options);

}  // namespace alsbench
