// SPDX-License-Identifier: Apache-2.0
// Where a training runs, and how it gets the pipelines that it was not given.
#pragma once

#include <functional>

#include "harness/record/case_record.h"
#include "harness/train/train.h"

namespace alsbench {

struct TrainingPlace {
  Team& team;
  const RatingSet& set;
  const TeamProblem* problem = nullptr;  // the set on the team's devices, where it is there already
};

inline TrainResult train(const TrainingPlace& place, const TrainOptions& options,
                         const TrainProgress& progress = {}) {
  return place.problem != nullptr ? train(*place.problem, options, progress)
                                  : train(place.team, place.set, options, progress);
}

// Gives steps to those pipelines of the options' recipe that have none. Returns what a tuning
// database said of those that it chose.
using ChoosePipelines =
    std::function<TunedOrigins(TrainOptions& options, const RatingSet& set, const Team& team)>;

}  // namespace alsbench
