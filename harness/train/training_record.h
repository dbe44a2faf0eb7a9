// SPDX-License-Identifier: Apache-2.0
// Records of a training: the one beside its model, and the identity in a checkpoint.
#pragma once

#include "harness/model/model_record.h"
#include "harness/train/run_training.h"

namespace alsbench {

// Without the proofs of the model's files, which write_model adds.
ModelRecord record_of(const FinishedTraining& training, const TrainingPlace& place);

// Options and ratings that two trainings share if they end with the same model: all but the number
// of iterations.
Json training_identity(const TrainOptions& options, const RatingSet& set);

}  // namespace alsbench
