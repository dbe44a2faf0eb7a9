// SPDX-License-Identifier: Apache-2.0
// Stochastic gradient descent (docs/explanation/sgd.md): an iteration is an epoch, which updates
// both factor matrices by every rating once. In a team it has a step for each member
// (SgdPartition).
#include "variants/sgd/sgd.h"

#include <cmath>

#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/rmse.h"
#include "harness/algorithms/sgd/sgd_factors.h"
#include "harness/algorithms/sgd/sgd_partition.h"
#include "harness/data/data_shape.h"
#include "harness/problem/rating_order.h"
#include "harness/train/stage_clock.h"

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

// The ratings of a step of an epoch, and what updates by them.
struct EpochStep {
  EpochStep(const DeviceProblem& problem, const PipelineStep& step, const Csr& matrix,
            uint64_t seed)
      : ratings(problem.device(), rating_list(matrix, step.storage().order, seed)) {
    Shape shape = problem.shape(Side::x);
    shape.nnz = matrix.nnz();
    epoch = problem.device().prepare(*step.variant, step.config, shape);
  }

  RatingOrder ratings;
  std::unique_ptr<Executable> epoch;
};

class SgdTraining : public Training {
 public:
  SgdTraining(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed)
      : SgdTraining(problem, recipe, recipe.of(kEpoch).steps.front(), seed) {}

  IterationTimes iterate(int iteration) override {
    for (int step = 0; step < partition_.steps(); ++step) {
      clock_.device(kEpoch, name_of(&stages::sgd_epoch),
                    [&] { launch(step, problem_.lambda(), schedule_.of(iteration)); });
      if (!problem_.member().alone())
        clock_.device(kEpoch, kExchange,
                      [&] { factors_.exchange(partition_.passed(), partition_, step); });
    }
    return clock_.finish();
  }

  MetricValues evaluate(int iteration, EvaluatedRatings judged) override {
    gather();
    const MetricValues rmse = rmse_.of(factors_.of(Side::x), factors_.of(Side::theta), judged);
    check_finite(rmse, iteration, "use a smaller rate");
    return rmse;
  }

  std::vector<ModelMatrix> model() override {
    gather();
    return factors_.model();
  }
  std::vector<ModelMatrix> last_model() override {
    gather();
    return factors_.last_model();
  }
  void restore(const std::vector<ModelMatrix>& model, const CopyState&) override {
    factors_.restore(model);
  }

  int exchanges(int members) const override { return members; }
  int64_t exchanged_bytes(int members) const override {
    return members * factors_.stored_bytes(partition_.passed());
  }
  double largest_share(int members) const override {
    return SgdPartition(problem_.set(), members).largest_share();
  }

 private:
  SgdTraining(const DeviceProblem& problem, const Recipe& recipe, const PipelineStep& step,
              uint64_t seed)
      : problem_(problem),
        schedule_{recipe.hyper.number("rate"), recipe.hyper.number("decay")},
        rows_(rows_of_order(problem, step.storage().order)),
        partition_(problem.set(), problem.member().count()),
        factors_(problem, step.storage().factors, seed),
        rmse_(problem),
        clock_(problem.device()) {
    for (int i = 0; i < partition_.steps(); ++i) {
      steps_.emplace_back(problem, step, partition_.ratings(rows_, problem.member().index(), i),
                          seed);
      launch(i, 0, 0);  // a rate of 0: compiled, loaded and allocated before it is timed
    }
    problem.device().synchronize();
  }

  void launch(int step, float lambda, float rate) {
    const SgdParams params{steps_[step].ratings.view(), factors_.stored(rows_),
                           factors_.stored(other(rows_)), lambda, rate};
    steps_[step].epoch->launch(params);
  }

  // All rows of both sides, on all members: an epoch ends with those that are passed on.
  void gather() {
    factors_.exchange(partition_.kept(), partition_, 0);
    factors_.widen();
  }

  const DeviceProblem& problem_;
  const Schedule schedule_;
  const Side rows_;
  const SgdPartition partition_;
  std::vector<EpochStep> steps_;
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
        return std::make_unique<SgdTraining>(problem, recipe, seed);
      }};
}

}  // namespace alsbench
