// SPDX-License-Identifier: Apache-2.0
// Queries of a training to the tuning database, one for each part of its model.
#pragma once

#include <filesystem>
#include <string>

#include "harness/device/team.h"
#include "harness/train/train.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {

// `train` needs its algorithm, rank and lambda; pipelines are what is asked for.
TunedQuery training_query(const TrainOptions& train, const RatingSet& set, const Team& team,
                          const std::string& part);

// Chooses what a database of this file (TuningDatabase::load) says, which is read when it is first
// asked; or the defaults, whatever is tuned.
ChoosePipelines choose_tuned(const std::filesystem::path& file = {});
ChoosePipelines choose_defaults();

}  // namespace alsbench
