// SPDX-License-Identifier: Apache-2.0
// `alsbench profile`: executes each case of a suite once, where Nsight tools record.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/run/case_options.h"
#include "harness/cli/run/run_suites.h"

namespace alsbench {

void add_profile_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<RunOptions>();
  options->profile = true;
  CLI::App* command = app.add_subcommand(
      "profile",
      "Verifies each case of a suite and executes it once between cudaProfilerStart and Stop");
  add_suites_options(*command, *options);
  command->add_flag("--ncu", options->ncu,
                    "Print the command line of Nsight Compute for each case, and run nothing");
  command->callback(
      [&result, options] { result.action = [options] { return run_suites(*options); }; });
}

}  // namespace alsbench
