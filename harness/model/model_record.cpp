// SPDX-License-Identifier: Apache-2.0
#include "harness/model/model_record.h"

#include "harness/record/core_codecs.h"
#include "harness/record/document.h"

namespace alsbench {

void describe(Fields<TrainedOn>& fields) {
  fields.record("trained_on", "The device of a training; of a team, its first.");
  fields("backend", &TrainedOn::backend);
  fields("name", &TrainedOn::name);
}

void describe(Fields<TrainedData>& fields) {
  fields.record("trained_data", "The ratings that a model was trained on.");
  fields.inlined(&TrainedData::data);
  fields("mean", &TrainedData::mean, "of the training ratings");
}

void describe(Fields<TrainedOptions>& fields) {
  using O = TrainedOptions;
  fields.record("training_options", "How a model was trained.");
  fields.base<RecipeRecord>();
  fields("rank", &O::rank).range(Range::Kind::from_1);
  fields("lambda", &O::lambda).range(Range::Kind::from_0);
  fields("iterations", &O::iterations).range(Range::Kind::from_1);
  fields("seed", &O::seed);
  fields("keep", &O::keep, "last or best: the iteration whose factors are kept");
  fields("early_stop", &O::early_stop, "iterations without a lower test metric that end it");
}

void describe(Fields<StartSeconds>& fields) {
  const auto seconds = [&](const char* name, double StartSeconds::*member, const char* doc) {
    fields(name, member, doc).range(Range::Kind::duration);
  };
  fields.record("start_seconds", "Time before the first iteration, by the host's clock.");
  seconds("device", &StartSeconds::device, "waiting for it, which opens while a file is read");
  seconds("load", &StartSeconds::load, "of the ratings");
  seconds("pipelines", &StartSeconds::pipelines, "choosing them");
  seconds("upload", &StartSeconds::upload, "of the ratings to the device");
  seconds("prepare", &StartSeconds::prepare, "compilation, allocation, warm-up");
  fields.computed("total", &StartSeconds::total);
}

void describe(Fields<SearchTrial>& fields) {
  fields.record("search_trial", "A training of a search for values.");
  fields("values", &SearchTrial::values, "of lambda, rank and hyper-parameters");
  fields("iterations", &SearchTrial::iterations).range(Range::Kind::from_1);
  fields("test_metric", &SearchTrial::test_metric,
         "the search's metric, the mean over the seeds; null where a training left the finite "
         "numbers")
      .nullable();
  fields("of_seeds", &SearchTrial::of_seeds,
         "the metric of each seed, from that of the training upwards; absent of one seed")
      .omitted();
}

void describe(Fields<SearchRecord>& fields) {
  fields.record("value_search", "A search for values: its trials in their order.");
  fields("metric", &SearchRecord::metric,
         "which judged the trials: the training's, less being better, or one of rankings such as "
         "ndcg@10, greater being better; older records lack the former")
      .omitted();
  fields("relevant_from", &SearchRecord::relevant_from,
         "--relevant; absent: all, of implicit feedback those above 0")
      .omitted();
  fields("best", &SearchRecord::best);
  fields("trials", &SearchRecord::trials);
}

void describe(Fields<FoldInRecord>& fields) {
  using F = FoldInRecord;
  fields.record("fold_in", "Rows that `alsbench fold-in` made of ratings.");
  fields("data", &F::data, "the ratings' file");
  fields("side", &F::side, "users or items");
  fields("ratings", &F::ratings).range(Range::Kind::from_0);
  fields("added", &F::added, "rows after the last one").range(Range::Kind::from_0);
  fields("replaced", &F::replaced, "rows that were there").range(Range::Kind::from_0);
}

void describe(Fields<ModelRecord>& fields) {
  using M = ModelRecord;
  fields.record("", "The record of a trained model, which `alsbench train --out` writes.");
  describe_document(fields, "training");
  fields("provenance", &M::provenance);
  fields("device", &M::device);
  fields("data", &M::data);
  fields("options", &M::options);
  fields("prediction", &M::prediction, "how the model predicts");
  fields("search", &M::search, "null without --search");
  fields("tuned", &M::tuned, "for each part whose pipeline the tuning database chose");
  fields("start_seconds", &M::start_seconds);
  fields("setup_seconds", &M::setup_seconds).range(Range::Kind::duration);
  fields("brought_ratings", &M::transferred_ratings,
         "ratings that an iteration brings to the device; 0 where all stay there")
      .range(Range::Kind::from_0);
  fields("peak_device_bytes", &M::peak_device_bytes).range(Range::Kind::from_0);
  fields("kept_iteration", &M::kept_iteration, "whose factors these are");
  fields("stopped_early", &M::stopped_early, "by --early-stop");
  fields("reached_target", &M::reached_target);
  fields("failed_rows", &M::failed_rows).range(Range::Kind::from_0);
  fields("overflows", &M::overflows, "finite factors that are infinite in their copy");
  fields("team", &M::team, "of several devices").omitted();
  fields.inlined(&M::energy);
  fields("iterations", &M::iterations);
  fields("fold_ins", &M::fold_ins, "after the training; absent without any").omitted();
  fields("files", &M::files, "what proves the model's other files");
}

void describe(Fields<ModelObjective>& fields) {
  using O = ModelObjective;
  fields.record("objective", "Objective that a model minimised, as far as new rows need it.");
  fields("algorithm", &O::algorithm);
  fields("hyper", &O::hyper, "hyper-parameters of the algorithm");
  fields("lambda", &O::lambda).range(Range::Kind::from_0);
  fields("mean", &O::mean, "of the training ratings");
}

void describe(Fields<SavedModelRecord>& fields) {
  using M = SavedModelRecord;
  fields.record("", "The record of a model that `alsbench import` or Python's Model.save writes.");
  describe_document(fields, kSavedModelKind);
  fields("provenance", &M::provenance, "of the saving");
  fields("source", &M::source, "what made the factors");
  fields("users", &M::users).range(Range::Kind::from_0);
  fields("items", &M::items).range(Range::Kind::from_0);
  fields("rank", &M::rank).range(Range::Kind::from_1);
  fields("objective", &M::objective, "null where the source does not say it");
  fields("prediction", &M::prediction, "how the model predicts");
  fields("fold_ins", &M::fold_ins, "after the saving; absent without any").omitted();
  fields("files", &M::files, "what proves the model's other files");
}

}  // namespace alsbench
