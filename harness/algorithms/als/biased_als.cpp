// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/biased_als.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "base/error.h"
#include "harness/algorithms/als/bias_terms.h"
#include "harness/algorithms/als/half_iteration.h"
#include "harness/algorithms/als/hyper.h"
#include "harness/algorithms/rmse.h"

namespace alsbench {
namespace {

class BiasedAls : public Training {
 public:
  BiasedAls(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed)
      : shared_bytes_(initial_bytes_reused(problem, seed)),
        factors_(problem, problem.initial(Side::theta, seed)),
        bias_terms_(problem),
        rmse_(problem),
        x_(problem, Side::x, recipe.of("x")),
        theta_(problem, Side::theta, recipe.of("theta")),
        clock_(problem.device()),
        step_counter_(problem) {
    for (HalfIteration* half : {&x_, &theta_}) half->warm_up(opened(*half));
    clock_.finish();
    recorded_.emplace(problem, clock_, [&](int iteration) { update_both(iteration); });
    factors_.reset();
    bias_terms_.reset();
  }

  IterationTimes iterate(int iteration) override {
    if (!recorded_->run(iteration)) update_both(iteration);
    return clock_.finish();
  }

  int64_t update(const std::string& part) override {
    HalfIteration& half = side_of(part) == Side::x ? x_ : theta_;
    update(half);
    clock_.finish();
    return half.failed_rows();
  }

  MetricValues evaluate(int iteration, EvaluatedRatings judged) override {
    const MetricValues rmse = rmse_.of(factors_.of(Side::x), factors_.of(Side::theta), judged);
    if (!std::isfinite(rmse.judged()))
      factors_.throw_non_finite(iteration, "try the pipeline cg-fp32 or exact");
    check_finite(rmse, iteration, "are all ratings finite?");
    return rmse;
  }

  double mean_solver_steps() const override { return step_counter_.mean(x_, theta_); }
  int64_t failed_rows() const override { return x_.failed_rows() + theta_.failed_rows(); }
  int64_t overflows() const override { return factors_.overflows(); }
  int64_t shared_bytes() const override { return shared_bytes_; }

  std::vector<ModelMatrix> model() override { return factors_.model(); }
  std::vector<ModelMatrix> last_model() override { return factors_.last_model(); }
  void restore(const std::vector<ModelMatrix>& model, const CopyState& copies) override {
    factors_.restore(model);
    factors_.restore_overflows(copies.overflows);
    bias_terms_.read(factors_);
  }

 private:
  void update_both(int iteration) {
    for (HalfIteration* half : {&x_, &theta_}) {
      half->begin(iteration);
      update(*half);
    }
  }

  void update(HalfIteration& half) {
    factors_.update(half, opened(half), {Scalar::fp32}, clock_);
    bias_terms_.close(half.side(), factors_, clock_);
  }

  // Operands of a side's update: its ratings without the other side's bias terms, and a copy of the
  // other side's factors in the type that the pipeline reads.
  HalfIteration::Operands opened(const HalfIteration& half) {
    const Side side = half.side();
    bias_terms_.open(side, factors_, clock_);
    factors_.convert(other(side), half.factors_type(), clock_);
    HalfIteration::Operands operands = factors_.operands(side);
    operands.ratings = bias_terms_.ratings(side);
    return operands;
  }

  int64_t shared_bytes_;
  Factors factors_;
  BiasTerms bias_terms_;
  RmseEvaluator rmse_;
  HalfIteration x_, theta_;
  StageClock clock_;
  StepCounter step_counter_;
  std::optional<RecordedIterations> recorded_;
};

}  // namespace

std::unique_ptr<Training> start_biased_als(const DeviceProblem& problem, const Recipe& recipe,
                                           uint64_t seed) {
  const AlsHyper hyper(recipe.hyper);
  if (problem.rank() < 3)
    throw ObjectionError(
        fmt::format("biases take two columns of the factors, and rank {} leaves none for features; "
                    "choose rank 3 or more",
                    problem.rank()));
  if (!problem.member().alone())
    throw ObjectionError("als with biases trains on one device; choose one of the team");
  if (!hyper.only_biases())
    throw ObjectionError(
        "biases go with no other start and no change of the first iterations; leave out start, "
        "rotated_iterations, over_relaxation and first_share");
  return std::make_unique<BiasedAls>(problem, recipe, seed);
}

}  // namespace alsbench
