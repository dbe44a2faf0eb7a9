// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/pipeline/pipeline_document.h"

#include <string_view>

#include "harness/record/core_codecs.h"
#include "harness/record/document.h"
#include "harness/sweep/suite/case.h"

namespace alsbench {
namespace {

constexpr std::string_view kTestRatings = "test", kTrainRatings = "train";

Json speedup_of(const PartChoiceRecord& choice) {
  return json_of(choice.default_seconds / choice.median_seconds);
}

}  // namespace

std::vector<PipelineRecord> records_of(const Recipe& recipe) {
  std::vector<PipelineRecord> records;
  for (const std::string& part : recipe.algorithm->parts)
    records.push_back({part, records_of(recipe.of(part).steps)});
  return records;
}

void describe(Fields<TunedShape>& fields) {
  fields.record("tuned_shape", "The shape of one part.");
  fields("part", &TunedShape::part);
  fields("shape", &TunedShape::shape);
}

void describe(Fields<TunedProblem>& fields) {
  fields.record("tuned_problem", "The ratings as they were asked for, and what they came to.");
  fields("name", &TunedProblem::name);
  fields.inlined(&TunedProblem::problem);
  fields("shapes", &TunedProblem::shapes, "one a part");
  fields("data", &TunedProblem::data);
}

void describe(Fields<PipelineSearchRecord::WarmStart>& fields) {
  fields.record("warm_start", "The recipe that a warm start began with.");
  using N = PipelineSearchRecord::WarmStart;
  fields("pipelines", &N::pipelines);
  fields("reason", &N::reason, "where they are from");
  fields("taken", &N::taken, "false: refused or slow here, and all was searched");
}

void describe(Fields<PipelineSearchRecord>& fields) {
  using S = PipelineSearchRecord;
  using Kind = Range::Kind;
  fields.record("pipeline_search", "How pipelines were searched.");
  fields("warm_start", &S::warm_start, "what it began with (--warm-start); null: nothing");
  fields("strategy", &S::strategy);
  fields("seed", &S::seed);
  fields("stage_evaluations", &S::stage_evaluations, "of one stage for one part")
      .range(Kind::from_0);
  fields("budget_seconds", &S::budget_seconds, "for the searches and the gate");
  fields("evaluations", &S::evaluations, "configurations and recipes measured").range(Kind::from_0);
  fields("playoff_rounds", &S::playoff_rounds, "at most").range(Kind::from_0);
}

void describe(Fields<GateRecord>& fields) {
  using G = GateRecord;
  fields.record("gate", "The metric that a recipe must reach, and that of the choice.");
  fields("iterations", &G::iterations).range(Range::Kind::from_1);
  fields("tolerance", &G::tolerance);
  fields.custom(
      "ratings",
      [](const G& gate) { return Json(gate.test_ratings ? kTestRatings : kTrainRatings); },
      [](const JsonField& json, G& gate) { gate.test_ratings = json.text() == kTestRatings; },
      {{"enum", {kTestRatings, kTrainRatings}}}, "that the metric is of");
  fields("metric", &G::metric, "its name");
  fields("exact_metric", &G::exact, "of the exact FP32 pipelines").nullable();
  fields("target_metric", &G::target, "exact_metric * (1 + tolerance)").nullable();
  fields("test_metric", &G::test, "of the choice").nullable();
  fields("worst_deviation", &G::worst_deviation, "of the choice, as a trial has it").nullable();
}

void describe(Fields<StageSearchRecord>& fields) {
  using S = StageSearchRecord;
  fields.record("stage_search", "A search of one stage for one part.");
  fields("part", &S::part);
  fields("stage", &S::stage);
  fields("skipped", &S::skipped, "why it was not searched, or no further").nullable();
  fields("refines", &S::refines,
         "of a search around what was found: the precision and CG steps that were held; null: of "
         "the whole stage")
      .nullable();
  fields("evaluations", &S::evaluations).range(Range::Kind::from_0);
  fields("stop_reason", &S::stop_reason).nullable();
  fields("best", &S::best, "the tie set, the choice first");
  fields("best_seconds", &S::best_seconds).nullable();
  fields("default_seconds", &S::default_seconds).nullable();
  fields("elapsed_seconds", &S::elapsed);
  fields("measuring_seconds", &S::measuring);
  fields("compiling_seconds", &S::compiling, "the device waited for a compiler").nullable();
  fields("preparing_seconds", &S::preparing, "inputs, and loading kernels").nullable();
  fields("verifying_seconds", &S::verifying).nullable();
}

void describe(Fields<TrialRecord>& fields) {
  using T = TrialRecord;
  fields.record("trial", "A training that decided whether a recipe is accurate enough.");
  fields("purpose", &T::purpose, "exact, default, warm_start, gate, rematch, check or late");
  fields("pipelines", &T::pipelines);
  fields("outcome", &T::outcome);
  fields("detail", &T::detail, "why the outcome is not ok").nullable();
  fields("test_metric", &T::metric, "after the last iteration").nullable();
  fields("worst_deviation", &T::worst_deviation,
         "the largest |metric - exact metric| / exact metric of an iteration from the second on")
      .nullable();
  fields("seconds", &T::seconds, "of an iteration, or to the target").nullable();
  fields("passed", &T::passed);
}

void describe(Fields<ContenderRecord::PartSeconds>& fields) {
  fields.record("part_seconds", "Times of one part of a contender.");
  using P = ContenderRecord::PartSeconds;
  fields("part", &P::part);
  fields("seconds", &P::seconds, "of a half-iteration, one a training");
}

void describe(Fields<ContenderRecord>& fields) {
  using C = ContenderRecord;
  fields.record("contender", "A recipe of the playoff.");
  fields("pipelines", &C::pipelines);
  fields("is_default", &C::is_default);
  fields("eligible", &C::eligible, "it passed, or has the precision of one that did");
  fields("part_seconds", &C::parts);
  fields("total_seconds", &C::totals, "of an iteration, or to the target, one a training");
}

void describe(Fields<PartChoiceRecord>& fields) {
  using P = PartChoiceRecord;
  fields.record("part_choice", "The pipeline that was chosen for one part.");
  fields("part", &P::part);
  fields("pick", &P::pick);
  fields("median_seconds", &P::median_seconds).nullable();
  fields("default_pick", &P::default_pick, "what it is compared with");
  fields("default_seconds", &P::default_seconds, "null: it failed").nullable();
  fields.derived("speedup_over_default", speedup_of, {{"type", {"number", "null"}}});
  fields("ties", &P::ties, "pipelines that could not be told from the pick, itself among them");
  fields("counters", &P::counters,
         "with --counters: of each step of the pick, then of its ties and the default")
      .omitted();
}

void describe(Fields<HyperTrial>& fields) {
  using H = HyperTrial;
  fields.record("hyper_trial", "A training with some hyper-parameters.");
  fields("hyper", &H::hyper);
  fields("seconds", &H::seconds, "to the target, or of all iterations").nullable();
  fields("reached_target", &H::reached);
  fields("best_metric", &H::metric, "of all iterations").nullable();
  fields("passed", &H::passed, "reached the target, and ended no worse than the defaults");
}

void describe(Fields<HyperSearchRecord>& fields) {
  using H = HyperSearchRecord;
  fields.record("hyper_search", "Hyper-parameters with the chosen pipelines.");
  fields("pick", &H::pick);
  fields("seconds", &H::seconds).nullable();
  fields("default_seconds", &H::default_seconds).nullable();
  fields("trials", &H::trials, "where it began first").range(Range::Kind::not_empty);
}

void describe(Fields<TimeSpent>& fields) {
  using T = TimeSpent;
  fields.record("time_spent", "Where the time of a tuning went, once the data were loaded.");
  fields("total_seconds", &T::total);
  fields("data_seconds", &T::data,
         "before the total: starting the worker; loading, generating and uploading ratings");
  fields.derived(
      "measuring_seconds", [](const T& time) { return Json(time.measuring()); },
      {{"type", "number"}}, "sampling, accuracy and playoff");
  fields("compiling_seconds", &T::compiling, "the device waited for a compiler");
  fields("preparing_seconds", &T::preparing,
         "inputs of stages, loading kernels, memory and warm-up of training runs");
  fields("verifying_seconds", &T::verifying, "points of the searches");
  fields("sampling_seconds", &T::sampling, "samples of the searches");
  fields("accuracy_seconds", &T::accuracy, "training runs that decide what is accurate enough");
  fields("playoff_seconds", &T::playoff, "training runs of the playoff");
  fields.derived("other_seconds", [](const T& time) { return Json(time.other()); },
                 {{"type", "number"}});
}

void describe(Fields<PipelineTuningDocument>& fields) {
  using D = PipelineTuningDocument;
  fields.record("", "Result of a search for the fastest accurate pipelines (`alsbench tune`).");
  describe_document(fields, "pipeline-tuning");
  fields("training", &D::training);
  fields("provenance", &D::provenance);
  fields("device", &D::device);
  fields("members", &D::members, "such devices, of the team that trained")
      .range(Range::Kind::from_1);
  fields("problem", &D::problem);
  fields("objective", &D::goal);
  fields("search", &D::search);
  fields("gate", &D::gate);
  fields("stages", &D::stages);
  fields("trials", &D::trials);
  fields("playoff", &D::playoff).range(Range::Kind::not_empty);
  fields("parts", &D::parts, "the choice for each part");
  fields("hyper", &D::hyper, "null: not searched (only with the objective time-to-rmse)");
  fields("energy", &D::energy, "with --objective energy or front").omitted();
  fields("time", &D::time);
}

}  // namespace alsbench
