// SPDX-License-Identifier: Apache-2.0
#include "harness/train/model_record.h"

#include <utility>

#include "harness/model/model_matrix.h"
#include "harness/record/core_codecs.h"
#include "harness/record/provenance.h"

namespace alsbench {
namespace {

Json to_json(const StartSeconds& start) {
  return Json{{"device", start.device}, {"load", start.load},       {"pipelines", start.pipelines},
              {"upload", start.upload}, {"prepare", start.prepare}, {"total", start.total()}};
}

Json options_json(const TrainOptions& options) {
  const TrainingRecord record = blank_record(options.recipe, options.target);
  Json json{{"algorithm", record.algorithm}, {"hyper", alsbench::to_json(record.hyper)}};
  for (const auto& [part, text] : record.pipelines) json["pipeline_" + part] = text;
  json["rank"] = options.rank;
  json["lambda"] = decimal_of(options.lambda);
  json["iterations"] = options.iterations;
  json["seed"] = options.seed;
  json["target_" + record.metric] = record.target ? Json(*record.target) : Json(nullptr);
  json["keep"] = name_of(options.keep);
  json["early_stop"] = options.early_stop > 0 ? Json(options.early_stop) : Json(nullptr);
  return json;
}

// What was trained on.
Json describe(const RatingSet& set) {
  return Json{{"id", set.id},
              {"content_hash", set.content_hash},
              {"users", set.by_user.rows},
              {"items", set.by_user.cols},
              {"train_ratings", set.by_user.nnz()},
              {"test_ratings", set.test.nnz()},
              {"empty_users", empty_rows(set.by_user)},
              {"empty_items", empty_rows(set.by_item)},
              {"mean", set.mean}};
}

}  // namespace

Json training_identity(const TrainOptions& options, const RatingSet& set) {
  Json json = options_json(options);
  json.erase("iterations");
  json["ratings"] = set.content_hash;
  return json;
}

Json model_record(const FinishedTraining& training, const TrainingPlace& place) {
  const Algorithm& algorithm = *training.options.recipe.algorithm;
  const TrainResult& result = training.result;
  const DeviceTraits& traits = place.team.device().traits();
  const Prediction prediction = prediction_of(place.set, algorithm.feedback, result.model);
  Json iterations = Json::array();
  for (const IterationRecord& iteration : result.iterations)
    iterations.push_back(alsbench::to_json(iteration, algorithm.metric));
  Json json{
      {"$schema", "train.schema.json"},
      {"schema_version", "1.9.0"},
      {"provenance", alsbench::to_json(provenance())},
      {"device", {{"backend", name_of(traits.backend)}, {"name", traits.name}}},
      {"data", describe(place.set)},
      {"options", options_json(training.options)},
      {"prediction", alsbench::to_json(prediction)},
      {"search", training.search ? alsbench::to_json(*training.search, algorithm.metric) : Json()},
      {"tuned", alsbench::to_json(training.tuned)},
      {"start_seconds", to_json(training.start)},
      {"setup_seconds", result.setup_seconds},
      {"brought_ratings", result.brought_ratings},
      {"peak_device_bytes", result.peak_device_bytes},
      {"kept_iteration", result.kept_iteration},
      {"stopped_early", result.stopped_early},
      {"reached_target", result.reached_target},
      {"failed_rows", result.failed_rows},
      {"overflows", result.overflows},
      {"iterations", std::move(iterations)}};
  if (result.team) json["team"] = alsbench::to_json(*result.team);
  return json;
}

}  // namespace alsbench
