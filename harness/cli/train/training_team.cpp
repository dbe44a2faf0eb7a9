// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/training_team.h"

#include "base/error.h"
#include "harness/cli/interrupts.h"
#include "harness/device/device_selection.h"
#include "harness/device/process_exchange.h"

namespace alsbench {

std::unique_ptr<Team> open_training_team(const TrainCommandOptions& options) {
  if (started_by_mpi() && !options.search.empty())
    throw UsageError("--search trains in one process: start it without MPI");
  auto team = started_by_mpi() ? open_process_team(options.device, interrupt_flag())
                               : open_team(one_team(options.device));
  if (options.device_memory)
    team->run([&](const Member& member) { member.device().limit_memory(*options.device_memory); });
  return team;
}

}  // namespace alsbench
