// SPDX-License-Identifier: Apache-2.0
// What a training asks the tuning database for a part of its model.
#pragma once

#include <string>

#include "harness/device/team.h"
#include "harness/train/train.h"
#include "harness/tune/database/tuning_database.h"

namespace alsbench {

// `train` needs its algorithm, rank and lambda; pipelines are what is asked for.
TunedQuery training_query(const TrainOptions& train, const RatingSet& set, const Team& team,
                          const std::string& part);

}  // namespace alsbench
