// SPDX-License-Identifier: Apache-2.0
// The team that `train` trains with: devices of this process, or the processes that MPI started.
#pragma once

#include <memory>

#include "harness/cli/train/train_request.h"
#include "harness/device/team.h"
#include "harness/record/json.h"

namespace alsbench {

// Throws like one_team, open_team and open_process_team, UsageError for a search of several
// processes.
std::unique_ptr<Team> open_training_team(const TrainRequest& options);

// Throws UsageError where the team's processes do not all train the same: each of them has read
// ratings, a tuning database and options of its own.
void check_same_training(Team& team, const Json& training);

}  // namespace alsbench
