// SPDX-License-Identifier: Apache-2.0
#include "harness/train/training_record.h"

#include <memory>
#include <utility>

#include "harness/model/model_matrix.h"
#include "harness/record/core_codecs.h"

namespace alsbench {
namespace {

TrainedOptions options_of(const TrainOptions& options) {
  TrainingRecord record = blank_record(options.recipe, options.target);
  TrainedOptions trained;
  trained.algorithm = std::move(record.algorithm);
  trained.hyper = std::move(record.hyper);
  trained.metric = std::move(record.metric);
  trained.pipelines = std::move(record.pipelines);
  trained.rank = options.rank;
  trained.lambda = decimal_of(options.lambda);
  trained.iterations = options.iterations;
  trained.seed = options.seed;
  trained.target = options.target;
  trained.keep = name_of(options.keep);
  if (options.early_stop > 0) trained.early_stop = options.early_stop;
  return trained;
}

TrainedData data_of(const RatingSet& set) {
  return {{set.id, set.content_hash, set.by_user.rows, set.by_user.cols, set.by_user.nnz(),
           set.test.nnz(), empty_rows(set.by_user), empty_rows(set.by_item)},
          set.mean};
}

}  // namespace

Json training_identity(const TrainOptions& options, const RatingSet& set) {
  Json json = to_json(options_of(options));
  json.erase("iterations");
  json["ratings"] = set.content_hash;
  return json;
}

ModelRecord record_of(const FinishedTraining& training, const TrainingPlace& place) {
  const TrainResult& result = training.result;
  const DeviceTraits& traits = place.team.device().traits();
  ModelRecord record;
  record.provenance = provenance();
  record.device = {traits.backend, traits.name};
  record.data = data_of(place.set);
  record.options = options_of(training.options);
  record.prediction =
      prediction_of(place.set, training.options.recipe.algorithm->feedback, result.model);
  if (training.search) record.search = record_of(*training.search);
  record.tuned = training.tuned;
  record.start_seconds = training.start;
  record.setup_seconds = result.setup_seconds;
  record.transferred_ratings = result.transferred_ratings;
  record.peak_device_bytes = result.peak_device_bytes;
  record.kept_iteration = result.kept_iteration;
  record.stopped_early = result.stopped_early;
  record.reached_target = result.reached_target;
  record.failed_rows = result.failed_rows;
  record.overflows = result.overflows;
  record.team = result.team;
  record.iterations = result.iterations;
  return record;
}

}  // namespace alsbench
