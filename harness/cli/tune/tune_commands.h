// SPDX-License-Identifier: Apache-2.0
// The commands of `alsbench tune`: each in a file of its own, which adds it to `tune`.
#pragma once

#include "harness/cli/commands.h"

namespace alsbench {

void add_tune_stage_command(CLI::App& tune, CommandResult& result);
void add_tune_pipeline_command(CLI::App& tune, CommandResult& result);
void add_tune_replay_command(CLI::App& tune, CommandResult& result);
void add_tune_merge_command(CLI::App& tune, CommandResult& result);
void add_tune_portability_command(CLI::App& tune, CommandResult& result);

}  // namespace alsbench
