// SPDX-License-Identifier: Apache-2.0
#include "harness/record/iteration_record.h"

namespace alsbench {

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

namespace {

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
