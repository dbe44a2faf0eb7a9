// SPDX-License-Identifier: Apache-2.0
// run_training(): a training from request to record. The command line, the Python module and the
// worker of a run all train by it: they read what is asked of them, and present what came of it.
#pragma once

#include <optional>
#include <string>

#include "harness/model/model_record.h"
#include "harness/record/training_record.h"
#include "harness/train/checkpoint.h"
#include "harness/train/search.h"
#include "harness/train/train.h"

namespace alsbench {

struct TrainingRequest {
  TrainOptions options;  // whose recipe may lack pipelines where `choose` finds them
  ChoosePipelines choose = {};
  SearchRequest search = {};  // where it has candidates, the best of them replaces the options
  CheckpointOptions checkpoints = {};
  std::string out = {};     // the model's folder; empty: it is not written
  StartSeconds start = {};  // the device and the load, which are over
};

// A training that ended: its options, its result and their origin.
struct FinishedTraining {
  TrainOptions options;  // with all pipelines, and a search's best values
  TunedOrigins tuned;    // of those pipelines that the tuning database chose
  std::optional<FinishedSearch> search;
  StartSeconds start;
  TrainResult result;
};

// As results of runs have it: the only one to fill such a record.
TrainingRecord record_of(const FinishedTraining& training);
// The part of the record that is known before the training runs.
RecipeRecord recipe_record(const Recipe& recipe, const std::optional<double>& target);

// Hears of a training while it goes on, in the process that leads the team.
class TrainingObserver : public SearchObserver {
 public:
  // The first iteration is next; `options` say which one that is where a checkpoint is resumed.
  virtual void begins(const TrainOptions& /*options*/, const TunedOrigins& /*tuned*/) {}
  virtual void iterated(const IterationRecord& /*iteration*/) {}
  // Nothing is left to do but to write the model.
  virtual void ends(const FinishedTraining& /*training*/) {}
};

// Nothing where the search was interrupted. An interrupted training ends after its iteration, and
// says so. Throws what train() and run_search() do, and UsageError or EnvironmentError for folders
// that cannot be used or members of a team that were asked for something else.
std::optional<FinishedTraining> run_training(const TrainingPlace& place,
                                             const TrainingRequest& request,
                                             TrainingObserver& observer);

// Without the proofs of the model's files, which write_model adds.
ModelRecord record_of(const FinishedTraining& training, const TrainingPlace& place);

// Options and ratings that two trainings share if they end with the same model: all but the number
// of iterations.
Json training_identity(const TrainOptions& options, const RatingSet& set);

}  // namespace alsbench
