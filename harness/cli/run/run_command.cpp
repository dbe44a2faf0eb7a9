// SPDX-License-Identifier: Apache-2.0
// `alsbench run`: runs benchmark suites and writes their results.
#include <CLI/CLI.hpp>
#include <memory>

#include "base/error.h"
#include "base/message.h"
#include "harness/cli/commands.h"
#include "harness/cli/run/case_options.h"
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
  command->callback(
      [&result, options] { result.action = [options] { return run_suites(*options); }; });
}

}  // namespace alsbench
