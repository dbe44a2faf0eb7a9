// SPDX-License-Identifier: Apache-2.0
// Options and output shared by `compare`, `ab`, `aa`, `bisect` and `history`: flags of the
// rules, of launches, of programs of others and of the output, tables, and the exit code of a
// conclusion.
#pragma once

#include <string>
#include <vector>

#include "harness/cli/app.h"
#include "harness/cli/progress/progress_report.h"
#include "harness/data/data_request.h"
#include "harness/files/file_plan.h"
#include "harness/judge/build_launcher.h"
#include "harness/judge/comparison.h"
#include "harness/judge/program_launcher.h"
#include "harness/judge/screen_and_confirm.h"
#include "harness/process/exit_code.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

struct ComparisonOutput {
  std::string json, md;      // files or "stdout"; empty: none
  ProgressOptions progress;  // quiet: no notes either, but the story and the verdict
};

void add_rules_options(CLI::App& command, Rules& rules);
void add_comparison_output(CLI::App& command, ComparisonOutput& output);

// Tells the plan what write_comparison writes.
void writes_comparison(FilePlan& plan, const ComparisonOutput& output);
// Before launches, whose results would be lost with the file that cannot be written.
void check_files(const FilePlan& plan);
// Writes `document` and the Markdown table where they are wanted, prints the tables and the
// verdict.
void write_comparison(const ComparisonDocument& document, const ComparisonOutput& output);
// For `ab` or `aa` that a signal ended: writes the document, without a verdict, and says where it
// is. The document has the launches that were taken. Returns kExitInterrupted.
int keep_launches(ComparisonDocument document, const Launcher& launcher,
                  const ComparisonOutput& output);

// The one place where a conclusion becomes an exit code.
ExitCode exit_code_of(Conclusion conclusion);

// Options shared by `ab` and `aa`: the suite and how a launch of it is run.
struct LaunchOptions {
  std::string suite = {};  // "": that of the only custom kernel, else ci
  std::string filter, device;
  DataRequest data;   // its sizes, of custom kernels
  std::string scale;  // this and what follows are handed on as they are
  // Many launches of a fifth of a second a case tell more than few long ones.
  std::string min_samples = "5", max_samples = "500", max_noise = "0.002", timeout = "0.2";
  ProgramLimits limits = {.seconds = 3600};

  // Names the suite where nobody did, and reads it, with the sizes that were given. Throws
  // UsageError, also where several custom kernels have one each.
  Suite load();
  // The suite, the arguments to `run`, custom kernels and Ctrl-C; the builds are the caller's to
  // name.
  LauncherOptions settings() const;
  // How many cases of the suite this machine compares.
  int64_t cases_of(const Suite& loaded) const;

 private:
  std::vector<std::string> arguments() const;  // to `alsbench run`
};
// Returns what is of builds alone.
std::vector<CLI::Option*> add_launch_options(CLI::App& command, LaunchOptions& options);

// Throws UsageError where `launches` of each side, as `option` says, are fewer than `needed` to
// find one slow case among so many of `name`.
void refuse_few_launches(const std::string& option, int64_t launches, const std::string& name,
                         int64_t cases, int64_t needed);

// Of a comparison in two phases: how many launches there are, their order, and the rules that judge
// them.
void add_design_options(CLI::App& command, TwoPhaseDesign& design);

// Throws UsageError where so many launches find no slow case of the suite.
void refuse_few_launches(const TwoPhaseDesign& design, const LaunchOptions& launch,
                         const Suite& suite);

// How programs of others hand over their numbers.
struct ReaderOptions {
  std::string format;               // the name of a ForeignFormat; "": not given
  std::vector<std::string> values;  // as value_path_of takes them

  // Throws UsageError where a value is none, or format and values do not fit.
  ForeignReader reader() const;
};

inline constexpr const char* kProgramFormat =
    "Format of the JSON of other programs: the sides are then their command lines";

// Programs whose launches are limited so, and end with Ctrl-C.
ProgramOptions program_options(const ReaderOptions& reader, const ProgramLimits& limits,
                               const std::string& base, const std::string& test);

// Returns --format.
CLI::Option* add_reader_options(CLI::App& command, ReaderOptions& options, const char* meaning);

}  // namespace alsbench
