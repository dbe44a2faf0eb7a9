// SPDX-License-Identifier: Apache-2.0
// Output of the commands of `alsbench tune`: progress, warnings, the final table, and the files:
// the document, the journal and the database that keeps the choice.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/cli/progress/progress_report.h"
#include "harness/cli/tune/tune_options.h"
#include "harness/files/file_plan.h"
#include "harness/record/json.h"
#include "harness/tune/database/tuning_database.h"
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

struct TuneTargets {
  std::filesystem::path json, journal;
  bool json_on_stdout = false;
};
// --json, or a file called `name` in the folder of --out; the journal beside it.
TuneTargets tune_targets(const TuneOutputOptions& options, const std::string& name);
// The same, with the journal of --journal where that is given.
TuneTargets tune_targets(const LiveTuneOptions& options, const std::string& name);

// Tells the plan of the document.
void writes_document(FilePlan& plan, const TuneOutputOptions& options, const TuneTargets& targets);
// Throws UsageError where the tuning would replace a file that it or `plan` reads, another of its
// outputs, or the journal of a tuning that did not end.
void check_files(FilePlan plan, const LiveTuneOptions& options, const TuneTargets& targets);

// Writes the document, and prints the tables where it does not go to stdout itself.
void write_document(const Json& document, const std::string& tables, const TuneTargets& targets);

// Where the choice is kept: --db, else the user's database. Throws UsageError where that is
// damaged, before anything is measured.
std::filesystem::path database_path(const LiveTuneOptions& options, const DeviceTraits& device);
// All that is known with that file, which need not exist yet.
TuningDatabase known_database(const std::filesystem::path& file);

// On stderr: lines of a journal that could not be read; the command that continues with a tuning.
void print_journal_problems(const std::filesystem::path& path,
                            const std::vector<std::string>& problems);
void print_resume_hint(const TuneTargets& targets);

}  // namespace alsbench
