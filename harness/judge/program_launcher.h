// SPDX-License-Identifier: Apache-2.0
// ProgramLauncher: launches of programs of others. A launch is a command line that /bin/sh runs;
// the JSON that it hands over has the numbers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/judge/foreign_input.h"
#include "harness/judge/launcher.h"

namespace alsbench {

struct ProgramOptions {
  std::string base, test;  // command lines
  ForeignFormat format = ForeignFormat::google_benchmark;
  std::vector<ValuePath> values;  // of ForeignFormat::json
  LaunchSettings launch;
};

// The line that /bin/sh runs for a launch of the named cases, or of all, whose JSON becomes `file`.
// `{json}` in the command stands for the file's name. Without it the format's own flags are added,
// or of ForeignFormat::json the program's standard output is the file.
std::string launch_line(const std::string& command, ForeignFormat format,
                        const std::filesystem::path& file, const std::vector<std::string>& names);

// Commands, commits and the GPU's driver, which are known before the programs run.
ProgramsRecord record_of(const ProgramOptions& options);

class ProgramLauncher : public Launcher {
 public:
  explicit ProgramLauncher(ProgramOptions options);

 private:
  // A fault of the base is a BaselineError. Of the test side it is a UsageError where the command
  // cannot be started or hands over no such JSON, and a std::runtime_error where it ended with an
  // exit code, by a signal or by its limits. BaselineError also where no case of the base is one of
  // the test side. Messages name side, launch, command and remedy.
  ComparisonInput measure(const LaunchPlace& place, const std::vector<std::string>& names) override;
  ComparisonInput read(const LaunchPlace& place, const FinishedProgram& ended,
                       const std::filesystem::path& file, const ForeignReader& reader) const;
  void require_common_cases(const LaunchPlace& place, const ComparisonInput& input);

  ProgramOptions options_;
  std::optional<std::vector<std::string>> base_names_, test_names_;  // of the first launches
};

}  // namespace alsbench
