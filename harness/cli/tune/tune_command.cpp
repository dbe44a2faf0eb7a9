// SPDX-License-Identifier: Apache-2.0
// `alsbench tune`: searches for the fastest configuration.
#include <CLI/CLI.hpp>

#include "harness/cli/commands.h"

namespace alsbench {

void add_tune_command(CLI::App& app, CommandResult& result) {
  CLI::App* tune = app.add_subcommand("tune", "Search for the fastest configuration");
  tune->require_subcommand(1);
  add_tune_stage_command(*tune, result);
  add_tune_pipeline_command(*tune, result);
  add_tune_replay_command(*tune, result);
  add_tune_merge_command(*tune, result);
  add_tune_portability_command(*tune, result);
}

}  // namespace alsbench
