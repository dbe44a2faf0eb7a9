// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent (docs/explanation/sgd.md): an iteration is an epoch, which updates
// both factor matrices by every rating once.
#include "variants/sgd/sgd.h"

#include <cmath>

#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/rmse.h"
#include "harness/algorithms/sgd/sgd_factors.h"
#include "harness/data/data_shape.h"
#include "harness/problem/rating_order.h"
#include "harness/train/stage_clock.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

constexpr const char* kEpoch = "epoch";

// rate / (1 + decay t^1.5), t from 0 on (Xie et al., CuMF_SGD, HPDC 2017, after Yun et al., NOMAD,
// VLDB 2014, section 5.1).
struct Schedule {
  double rate, decay;

  float of(int iteration) const {
    return static_cast<float>(rate / (1 + decay * std::pow(iteration - 1, 1.5)));
  }
};

class SgdTraining : public Training {
 public:
  SgdTraining(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed)
      : SgdTraining(problem, recipe, recipe.of(kEpoch).steps.front(), seed) {}

  IterationTimes iterate(int iteration) override {
    const SgdParams params{order_.view(), factors_.stored(rows_), factors_.stored(other(rows_)),
                           problem_.lambda(), schedule_.of(iteration)};
    clock_.device(kEpoch, name_of(&stages::sgd_epoch), [&] { epoch_->launch(params); });
    return clock_.finish();
  }

  MetricValues evaluate(int iteration, Judged judged) override {
    factors_.widen();
    const MetricValues rmse = rmse_.of(factors_.of(Side::x), factors_.of(Side::theta), judged);
    check_finite(rmse, iteration, "use a smaller rate");
    return rmse;
  }

  std::vector<ModelMatrix> model() override { return factors_.model(); }
  void restore(const std::vector<ModelMatrix>& model, int64_t) override { factors_.restore(model); }

 private:
  SgdTraining(const DeviceProblem& problem, const Recipe& recipe, const PipelineStep& step,
              uint64_t seed)
      : problem_(problem),
        schedule_{recipe.hyper.number("rate"), recipe.hyper.number("decay")},
        rows_(rows_of_order(problem, step.storage().order)),
        epoch_(problem.device().prepare(*step.variant, step.config, problem.shape(Side::x))),
        order_(problem.device(),
               rating_list(problem.host_ratings(rows_), step.storage().order, seed)),
        factors_(problem, step.storage().factors, seed),
        rmse_(problem),
        clock_(problem.device()) {
    SgdParams nothing{order_.view(), factors_.stored(rows_), factors_.stored(other(rows_)), 0, 0};
    epoch_->launch(nothing);  // with a rate of 0: compiled, loaded and allocated before it is timed
    problem.device().synchronize();
  }

  const DeviceProblem& problem_;
  const Schedule schedule_;
  const Side rows_;
  std::unique_ptr<Executable> epoch_;
  RatingOrder order_;
  SgdFactors factors_;
  RmseEvaluator rmse_;
  StageClock clock_;
};

}  // namespace

Algorithm sgd() {
  return {
      .name = "sgd",
      .parts = {kEpoch},
      .metric = "rmse",
      .hyper = {{.name = "rate",
                 .values = {"0.08"},
                 .description = "of the first epoch: rate / (1 + decay t^1.5) in epoch t from 0",
                 .effect = Effect::accuracy,
                 .open = true},
                {.name = "decay",
                 .values = {"0.3"},
                 .description = "of the rate; 0: it is constant",
                 .effect = Effect::accuracy,
                 .open = true}},
      .pipelines = [](const std::string&) -> const PipelineGrammar& { return sgd_pipelines(); },
      .shape = [](const DeviceProblem& problem,
                  const std::string&) { return problem.shape(Side::x); },
      .shape_of_set = [](const RatingSet& set, int32_t rank,
                         const std::string&) { return shape_of(set.by_user, rank); },
      .part_seconds = [](const IterationRecord& record,
                         const std::string&) { return record.seconds; },
      .start = [](const DeviceProblem& problem, const Recipe& recipe,
                  uint64_t seed) -> std::unique_ptr<Training> {
        if (!problem.member().alone())
          throw ObjectionError("sgd trains on one device; choose one of the team");
        return std::make_unique<SgdTraining>(problem, recipe, seed);
      }};
}

}  // namespace alsbench
