// SPDX-License-Identifier: Apache-2.0
// What is recorded of a training: beside the model that it leaves, and of a checkpoint.
#pragma once

#include "harness/model/model_record.h"
#include "harness/train/run_training.h"

namespace alsbench {

// Without the proofs of the model's files, which write_model adds.
ModelRecord record_of(const FinishedTraining& training, const TrainingPlace& place);

// What two trainings have in common that end with the same model, if they go on long enough: the
// options but the number of iterations, and the ratings.
Json training_identity(const TrainOptions& options, const RatingSet& set);

}  // namespace alsbench
