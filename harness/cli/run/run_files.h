// SPDX-License-Identifier: Apache-2.0
// The files of a run of one suite: where its results and its journal go, and what it reads.
#pragma once

#include <filesystem>
#include <string>

#include "harness/cli/run/result_files.h"
#include "harness/cli/run/run_options.h"
#include "harness/files/file_plan.h"
#include "harness/sweep/suite/suite.h"

namespace alsbench {

struct Targets {
  ResultFiles results;
  std::filesystem::path journal;
};

Targets targets_of(const Suite& suite, const RunOptions& options);

// Tells the plan what a run of the suite reads and writes, `source` being what the command line
// calls it.
void add_files(FilePlan& plan, const std::string& source, const Suite& suite,
               const RunOptions& options);

}  // namespace alsbench
