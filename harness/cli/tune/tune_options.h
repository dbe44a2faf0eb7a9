// SPDX-License-Identifier: Apache-2.0
// Groups of options that several commands of `alsbench tune` have. Options of one command stand in
// the file of that command.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "harness/cli/app.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/data/data_request.h"
#include "harness/device/device_selection.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

// The ratings, and the device that measures.
struct TuneProblemOptions {
  DataRequest data;
  std::string device = kAutoDevice;
  int32_t rank = 0;
  std::optional<float> lambda;
  double hang_timeout = 60;
};

// How points are searched, and for how long. Where nothing is given, the command decides.
struct TuneSearchOptions {
  std::string strategy;
  std::optional<int64_t> budget_evaluations;
  std::optional<double> budget_seconds;
  std::optional<uint64_t> seed;
};

// Where the result goes, and what is said meanwhile.
struct TuneOutputOptions {
  std::filesystem::path folder = "results/local";
  std::string json;
  bool dry_run = false;
  ProgressOptions progress;
};

// Options of a tuning on a device: `tune stage` and `tune pipeline`.
struct LiveTuneOptions {
  TuneProblemOptions problem;
  TuneSearchOptions search;
  TuneOutputOptions output;
  std::filesystem::path journal;
  bool resume = false, fresh = false, counters = false;
  std::string database;
};

// Help of options whose meaning depends on the command.
struct TuneHelp {
  const char* devices = "";  // words that --device takes
  const char* evaluations =
      "Number of distinct points to measure (default: a tenth of the space, at least 20)";
  const char* seconds = "Search time before the playoff, in seconds";
};

void add_search_options(CLI::App& command, TuneSearchOptions& options, const TuneHelp& help);
void add_output_options(CLI::App& command, TuneOutputOptions& options);
// All of those of a tuning on a device.
void add_live_options(CLI::App& command, LiveTuneOptions& options, const TuneHelp& help);

// A worker on the chosen device with the chosen problem. `on_team`: the device may be a team.
// Throws UsageError or EnvironmentError.
TuningWorkerOptions tuning_worker_options(const TuneProblemOptions& options, bool on_team);

}  // namespace alsbench
