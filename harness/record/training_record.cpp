// SPDX-License-Identifier: Apache-2.0
#include "harness/record/training_record.h"

#include <string_view>
#include <utility>

#include "base/median.h"
#include "harness/record/core_codecs.h"
#include "harness/record/fields/fields.h"

namespace alsbench {
double TrainingLaunch::seconds() const {
  double sum = 0;
  for (const IterationRecord& iteration : iterations) sum += iteration.seconds;
  return sum;
}

std::optional<double> TrainingLaunch::iteration_seconds() const {
  if (iterations.size() < 2) return std::nullopt;
  std::vector<double> seconds;
  for (size_t i = 1; i < iterations.size(); ++i) seconds.push_back(iterations[i].seconds);
  return median(std::move(seconds));
}

namespace {

// The share of wall time that other work took of those iterations that `counts` takes.
template <class Counts>
double share_taken_of(const std::vector<IterationRecord>& iterations, const Counts& counts) {
  double taken = 0, wall = 0;
  for (const IterationRecord& iteration : iterations) {
    const double seconds = iteration.wall_seconds;
    wall += seconds;
    if (counts(iteration)) taken += seconds * iteration.contention.taken_share(seconds).value_or(0);
  }
  return wall > 0 ? taken / wall : 0;
}

}  // namespace

double taken_share(const std::vector<IterationRecord>& iterations) {
  return share_taken_of(iterations, [](const IterationRecord&) { return true; });
}

bool disturbed(const std::vector<IterationRecord>& iterations) {
  const auto disturbs = [](const IterationRecord& iteration) {
    const Contention& other_work = iteration.contention;
    return other_work.disturbs(iteration.wall_seconds) || other_work.crowds();
  };
  return !disturbed_times_count() && share_taken_of(iterations, disturbs) > kDisturbingShare;
}

void describe(Fields<TrainingEnergy>& fields) {
  fields("energy", &TrainingEnergy::measured,
         "of an iteration: executions are iterations in a row, after the last one")
      .omitted();
  fields("energy_missing", &TrainingEnergy::missing, "why it was not measured").omitted();
  fields.columns_of(&TrainingEnergy::measured, "iteration_");
}

void describe(Fields<TrainingResult>& fields) {
  fields.record("training_result", "Outcome of a training that ended.");
  fields("reached_target", &TrainingResult::reached_target);
  fields("setup_seconds", &TrainingResult::setup_seconds).nullable();
  fields("failed_rows", &TrainingResult::failed_rows).range(Range::Kind::from_0);
  fields("overflows", &TrainingResult::overflows, "finite factors that are infinite in their copy")
      .omitted();
  fields("empty_users", &TrainingResult::empty_users).range(Range::Kind::from_0);
  fields("empty_items", &TrainingResult::empty_items).range(Range::Kind::from_0);
  fields("team", &TrainingResult::team, "of several devices").omitted();
  fields.inlined(&TrainingResult::energy);
  fields.columns_of(&TrainingResult::energy);
}

void describe(Fields<TrainingLaunch>& fields) {
  fields.record("training_launch", "The training of one process launch.");
  fields("iterations", &TrainingLaunch::iterations);
  fields("result", &TrainingLaunch::result, "null of a training that did not end");
}

void describe(Fields<RecipeRecord>& fields) {
  using R = RecipeRecord;
  fields("algorithm", &R::algorithm);
  fields("hyper", &R::hyper, "hyper-parameters of the algorithm");
  fields("metric", &R::metric, "rmse or loss");
  fields("pipelines", &R::pipelines, "one for each part of the model");
  fields("target", &R::target, "of the metric on the test ratings");
}

void describe(Fields<TrainingRecord>& fields) {
  fields.record("training", "A training case: its recipe and how it converged.");
  fields.base<RecipeRecord>();
  fields("launches", &TrainingRecord::launches).range(Range::Kind::not_empty);
  fields.columns_of([](const TrainingRecord& record) {
    const auto& result = record.first().result;
    return result ? &*result : nullptr;
  });
}

void describe(Fields<PredictedSeconds>& fields) {
  fields.record("predicted_seconds", "Predicted time of an iteration with a number of devices.");
  fields("members", &PredictedSeconds::members).range(Range::Kind::from_1);
  fields("largest_share", &PredictedSeconds::largest_share).range(Range::Kind::share);
  fields("seconds", &PredictedSeconds::seconds).range(Range::Kind::duration);
}

void describe(Fields<TeamRecord>& fields) {
  fields.record("team", "How several devices trained together, and what a model of it predicts.");
  fields("members", &TeamRecord::members).range(Range::Kind::from_1);
  fields("latency_seconds", &TeamRecord::latency_seconds).range(Range::Kind::duration);
  fields("bytes_per_second", &TeamRecord::bytes_per_second).range(Range::Kind::from_0);
  fields("exchanges", &TeamRecord::exchanges).range(Range::Kind::from_0);
  fields("exchanged_bytes", &TeamRecord::exchanged_bytes).range(Range::Kind::from_0);
  fields("work_seconds", &TeamRecord::work_seconds).range(Range::Kind::duration);
  fields("predicted", &TeamRecord::predicted);
}

namespace {

// A stage's entry of IterationRecord::stage_seconds, as documents list it.
struct StageSeconds {
  std::string part, stage;
  double seconds = 0;
};

void describe(Fields<StageSeconds>& fields) {
  fields.record("stage_seconds", "Time of one stage in an iteration.");
  fields("part", &StageSeconds::part, "of the model");
  fields("stage", &StageSeconds::stage);
  fields("seconds", &StageSeconds::seconds).range(Range::Kind::duration);
}

std::vector<StageSeconds> stages_of(const IterationRecord& record) {
  std::vector<StageSeconds> stages;
  for (const auto& [key, seconds] : record.stage_seconds) {
    const size_t slash = key.find('/');
    stages.push_back({key.substr(0, slash), key.substr(slash + 1), seconds});
  }
  return stages;
}

void set_stages(const std::vector<StageSeconds>& stages, IterationRecord& record) {
  for (const StageSeconds& stage : stages)
    record.stage_seconds[stage.part + "/" + stage.stage] = stage.seconds;
}

}  // namespace

void describe(Fields<MemberSeconds>& fields) {
  fields.record("member_seconds", "Where the time of a team's member went in an iteration.");
  fields("work", &MemberSeconds::work).range(Range::Kind::duration);
  fields("exchange", &MemberSeconds::exchange, "with the waiting for other members")
      .range(Range::Kind::duration);
}

void describe(Fields<IterationRecord>& fields) {
  using R = IterationRecord;
  fields.record("iteration", "Time and metric of one iteration of a training.");
  fields("iteration", &R::iteration).range(Range::Kind::from_1);
  fields("train_metric", &R::train_metric, "null where it was not asked for").nullable();
  fields("test_metric", &R::test_metric, "likewise, and without test ratings").nullable();
  fields("seconds", &R::seconds, "on the device, of a team the slowest, without the evaluation")
      .range(Range::Kind::duration);
  fields("wall_seconds", &R::wall_seconds, "the same by the host's steady clock")
      .range(Range::Kind::duration);
  fields("metric_seconds", &R::metric_seconds, "of the evaluation").range(Range::Kind::duration);
  fields.converted<std::vector<StageSeconds>>("stage_seconds", stages_of, set_stages,
                                              "of the first member");
  fields("members", &R::members, "of a team").omitted();
  fields("exchange_seconds", &R::exchange_seconds, "of a team, without the waiting")
      .range(Range::Kind::duration)
      .omitted();
  fields("mean_solver_steps", &R::mean_solver_steps, "over all rows; 0 of direct solvers")
      .nullable();
  fields("cold_test_ratings", &R::cold_test_ratings, "predicted by the training mean")
      .range(Range::Kind::from_0);
  fields.inlined(&R::contention);
}

}  // namespace alsbench
