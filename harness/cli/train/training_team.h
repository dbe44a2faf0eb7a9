// SPDX-License-Identifier: Apache-2.0
// The team that `train` trains with: devices of this process, or the processes that MPI started.
#pragma once

#include <memory>

#include "harness/cli/train/train_command_options.h"
#include "harness/device/team.h"

namespace alsbench {

// Throws like one_team, open_team and open_process_team, UsageError for a search of several
// processes.
std::unique_ptr<Team> open_training_team(const TrainCommandOptions& options);

}  // namespace alsbench
