// SPDX-License-Identifier: Apache-2.0
// `alsbench run`: runs benchmark suites and writes their results. `alsbench profile`: executes each
// case of a suite once, where Nsight tools record.
#include <CLI/CLI.hpp>
#include <memory>

#include "harness/cli/commands.h"
#include "harness/cli/run/run_options.h"
#include "harness/cli/run/run_suites.h"

namespace alsbench {

void add_run_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "Run benchmark suites and write their results");
  add_suites_options(*command, *options);
  add_sampling_options(*command, *options);
  command->add_flag("--counters", options->counters,
                    "Read hardware counters (bytes, hits, utilisation, stalls) of every case in "
                    "separate executions");
  command->add_option("--shard", options->shard, "i/n: run the i-th of n parts, counted from 0");
  result.runs(*command, [options] { return run_suites(*options); });
}

void add_profile_command(CLI::App& app, CommandResult& result) {
  auto options = std::make_shared<RunOptions>();
  options->profile = true;
  CLI::App* command = app.add_subcommand(
      "profile",
      "Verifies each case of a suite and executes it once between cudaProfilerStart and Stop");
  add_suites_options(*command, *options);
  command->add_flag("--ncu", options->ncu,
                    "Print the command line of Nsight Compute for each case, and run nothing");
  result.runs(*command, [options] { return run_suites(*options); });
}

}  // namespace alsbench
