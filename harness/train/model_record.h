// SPDX-License-Identifier: Apache-2.0
// The record of a trained model, which lies beside its factors.
#pragma once

#include "harness/record/json.h"
#include "harness/train/run_training.h"

namespace alsbench {

Json model_record(const FinishedTraining& training, const TrainingPlace& place);

// What two trainings have in common that end with the same model, if they go on long enough: the
// options but the number of iterations, and the ratings.
Json training_identity(const TrainOptions& options, const RatingSet& set);

}  // namespace alsbench
