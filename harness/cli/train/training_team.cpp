// SPDX-License-Identifier: Apache-2.0
#include "harness/cli/train/training_team.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "harness/cli/interrupts.h"
#include "harness/device/device_selection.h"
#include "harness/device/process_exchange.h"
#include "harness/files/hash.h"

namespace alsbench {

std::unique_ptr<Team> open_training_team(const TrainRequest& options) {
  if (started_by_mpi() && !options.search.empty())
    throw UsageError("--search trains in one process: start it without MPI");
  auto team = started_by_mpi() ? open_process_team(options.device, interrupt_flag())
                               : open_team(one_team(options.device));
  if (options.device_memory)
    team->run([&](const Member& member) { member.device().limit_memory(*options.device_memory); });
  return team;
}

void check_same_training(Team& team, const Json& training) {
  if (team.here() == team.size()) return;
  const std::string hash = sha256(training.dump()).substr(0, 12);  // exact as a double
  team.run([&](const Member& member) {
    const std::vector<double> all =
        member.each(static_cast<double>(std::stoull(hash, nullptr, 16)));
    for (size_t other = 1; other < all.size(); ++other)
      if (all[other] != all[0])
        throw UsageError(
            fmt::format("process {} would train something else than process 0: give all of them "
                        "the same ratings and options, and the same tuning database",
                        other));
  });
}

}  // namespace alsbench
