// SPDX-License-Identifier: Apache-2.0
// What the parts of `alsbench tune` share: its options, and what they select. A stage is tuned by
// tune_stage.cpp, whole pipelines by tune_pipeline.cpp.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/algorithm_options.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/data/data_request.h"
#include "harness/device/device_selection.h"
#include "harness/tune/database/tuning_database.h"
#include "harness/tune/search/space_file.h"
#include "harness/tune/search/tuner.h"
#include "harness/tune/stage/tuning_worker.h"

namespace alsbench {

struct TuneCommandOptions {
  DataRequest data;
  AlgorithmOptions algorithm;  // of pipelines
  std::string stage, side = "x", device = kAutoDevice, strategy, space_file, json;
  std::filesystem::path folder = "results/local", journal, replay;
  int32_t rank = 0;
  std::optional<float> lambda;
  std::vector<std::string> axes, tied, variants;
  std::optional<int64_t> budget_evaluations, min_samples, max_samples, playoff_samples;
  std::optional<double> budget_seconds, bail_out;
  std::optional<uint64_t> seed;
  int64_t passes = 1;
  double hang_timeout = 60;
  std::string objective = "time", database;
  int iterations = 10;       // of the training runs that judge pipelines
  double tolerance = 0.001;  // of their metric
  bool pipeline = false, counters = false, warm_start = false, leave_out = false;
  std::vector<std::string> merged;  // databases
  bool record = false, resume = false, fresh = false, dry_run = false;
  ProgressOptions progress;
};

// A worker on the chosen device with the chosen problem. Throws UsageError or EnvironmentError.
// On one device, or also on a team.
TuningWorkerOptions tuning_worker_options(const TuneCommandOptions& options, bool on_team);
// What to search: variants of the stage on the backend, axes, ties, the space file.
SpaceRequest space_request(const TuneCommandOptions& options, const SpaceFile& file,
                           Backend backend);
// Strategy, budget and sampling for a space: command line over space file over defaults.
TuneOptions tune_options(const TuneCommandOptions& options, const SpaceFile& file,
                         const SearchSpace& space);
// The space file, or an empty one.
SpaceFile space_file_of(const TuneCommandOptions& options);

// Where the choice is kept: --db, else the user's database. Throws UsageError where that is
// damaged, before anything is measured.
std::filesystem::path database_path(const TuneCommandOptions& options, const DeviceTraits& device);

// All that is known with that file, which need not exist yet.
TuningDatabase known_database(const std::filesystem::path& file);

// Where a tuning leaves its document and its journal.
struct TuneTargets {
  std::filesystem::path json, journal;
  bool json_on_stdout = false;
};
// --json and --journal, or files in the folder of --out called `name`.
TuneTargets tune_targets(const TuneCommandOptions& options, const std::string& name);
// Throws UsageError where the tuning would replace a file that it reads, another of its outputs, or
// the journal of a tuning that did not end.
void check_files(const TuneCommandOptions& options, const TuneTargets& targets);
// On stderr: lines of a journal that could not be read; the command that goes on with a tuning.
void print_journal_problems(const std::filesystem::path& path,
                            const std::vector<std::string>& problems);
void print_how_to_resume(const TuneTargets& targets);
// On stderr, where other work on the machine disturbed samples.
void warn_of_disturbances(const TuningWorker& worker);

// Merges databases into that of --db. Returns an ExitCode.
int tune_merge(const TuneCommandOptions& options);
// Tunes one stage, live or from a recording. Returns an ExitCode.
int tune_stage(const TuneCommandOptions& options);
// Tunes the pipelines of X and Theta. Returns an ExitCode.
int tune_pipeline(const TuneCommandOptions& options);

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

}  // namespace alsbench
