// SPDX-License-Identifier: Apache-2.0
// Explicit ALS: alternates the pipelines of X and Theta (docs/developing/design.md, "The problem").
#include <cmath>
#include <memory>
#include <optional>

#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/als/biased_als.h"
#include "harness/algorithms/als/factors.h"
#include "harness/algorithms/als/half_iteration.h"
#include "harness/algorithms/als/hyper.h"
#include "harness/algorithms/als/prepared.h"
#include "harness/algorithms/als/rotation.h"
#include "harness/algorithms/als/sketch.h"
#include "harness/algorithms/rmse.h"
#include "harness/problem/device_problem.h"
#include "kernels/shared/params/start.h"
#include "variants/als/parameters.h"
#include "variants/als/pipelines.h"
#include "variants/als/stages.h"

namespace alsbench {
namespace {

// Carries factors on in the direction of their last update, X + w (X - before).
class OverRelaxation {
 public:
  // Compiles, and takes memory for a second copy of X.
  OverRelaxation(const DeviceProblem& problem, float weight);

  // Both are enqueued.
  void keep(const FactorMatrix& x);  // before the update
  void apply(FactorMatrix& x);       // after it

 private:
  Device* device_;
  float weight_;
  std::unique_ptr<Executable> blend_;
  FactorMatrix before_;
};

OverRelaxation::OverRelaxation(const DeviceProblem& problem, float weight)
    : device_(&problem.device()),
      weight_(weight),
      blend_(prepared(problem, &stages::blend, "elements", Side::x)),
      before_(problem.device(), problem.ratings(Side::x).rows, problem.rank()) {}

void OverRelaxation::keep(const FactorMatrix& x) {
  device_->copy(before_.view().data, x.view().data, x.bytes());
}

void OverRelaxation::apply(FactorMatrix& x) {
  blend_->launch(BlendParams{x.view(), before_.view(), 1 + weight_, -weight_});
}

// Rows of the first update of X have so many ratings at least, where they have them at all.
constexpr int64_t kMinRatingsOfFirstUpdate = 64;
// X is over-relaxed in this iteration alone: kept on, it costs what it has gained.
constexpr int kOverRelaxedIteration = 2;

// Theta's uniform start, centred, with 1 in the first column: X's is then near the mean.
FactorMatrix constant_start(const DeviceProblem& problem, uint64_t seed) {
  const int64_t rows = problem.ratings(Side::theta).rows;
  std::vector<float> values = initial_factors(rows, problem.rank(), seed);
  for (float& value : values) value -= 0.1f;
  for (int64_t row = 0; row < rows; ++row) values[row * problem.rank()] = 1;
  FactorMatrix theta(problem.device(), rows, problem.rank());
  theta.upload(values);
  return theta;
}

constexpr std::string_view kLossOfPrecision =
    "the pipeline loses too much precision on this set; try cg-fp32 or exact";

class AlsTraining : public Training {
 public:
  AlsTraining(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed)
      : problem_(problem),
        hyper_(recipe.hyper),
        shared_bytes_(hyper_.start == Start::constant ? 0 : initial_bytes_reused(problem, seed)),
        constant_(hyper_.start == Start::constant ? constant_start(problem, seed) : FactorMatrix()),
        factors_(problem_,
                 hyper_.start == Start::constant ? constant_ : problem.initial(Side::theta, seed)),
        rmse_(problem_),
        sketch_(sketch(seed)),
        first_ratings_(first_ratings(seed)),
        x_(problem_, Side::x, recipe.of("x")),
        theta_(problem_, Side::theta, recipe.of("theta")),
        clock_(problem.device()),
        step_counter_(problem) {
    if (hyper_.rotated_iterations > 0) rotation_.emplace(problem_);
    if (hyper_.over_relaxation > 0) over_relaxation_.emplace(problem_, hyper_.over_relaxation);
    warm_up();
    recorded_.emplace(problem, clock_,
                      [&](int iteration) { update_both(iteration, usual_scales(iteration)); });
    factors_.round(Side::theta, x_.factors_type());
    problem.device().synchronize();
  }

  IterationTimes iterate(int iteration) override {
    const CopyScales scales = scales_of(iteration);
    if (is_special(iteration))
      update_specially(iteration);
    else if (scales != usual_scales(iteration) || !recorded_->run(iteration))
      update_both(iteration, scales);
    scales_ = scales;
    return clock_.finish();
  }

  int64_t update(const std::string& part) override {
    const Side side = side_of(part);
    HalfIteration& half = side == Side::x ? x_ : theta_;
    factors_.round(other(side), half.factors_type());
    factors_.update(half, factors_.operands(side), {Scalar::fp32}, clock_);
    clock_.finish();
    return half.failed_rows();
  }

  MetricValues evaluate(int iteration, EvaluatedRatings judged) override {
    factors_.exchange(Side::theta, Scalar::fp32);
    const MetricValues rmse = rmse_.of(factors_.of(Side::x), factors_.of(Side::theta), judged);
    if (!std::isfinite(rmse.judged())) factors_.throw_non_finite(iteration, kLossOfPrecision);
    check_finite(rmse, iteration, "are all ratings finite?");
    return rmse;
  }

  double mean_solver_steps() const override { return step_counter_.mean(x_, theta_); }
  int64_t failed_rows() const override { return x_.failed_rows() + theta_.failed_rows(); }
  int64_t overflows() const override { return factors_.overflows(); }
  int64_t shared_bytes() const override { return shared_bytes_; }

  std::vector<ModelMatrix> model() override { return factors_.model(); }
  std::vector<ModelMatrix> last_model() override { return factors_.last_model(); }
  std::vector<float> magnitudes() const override {
    return factors_.magnitudes(Side::theta, x_.factors_type(), scales_);
  }
  void restore(const std::vector<ModelMatrix>& model, const CopyState& copies) override {
    factors_.restore(model);
    factors_.round(Side::x, theta_.factors_type());
    factors_.restore_copy(Side::theta, x_.factors_type(), copies.magnitudes);
    factors_.restore_overflows(copies.overflows);
  }
  int64_t exchanged_bytes(int members) const override {
    return factors_.exchanged_bytes(x_, theta_.factors_type(), members) +
           factors_.exchanged_bytes(theta_, x_.factors_type(), members);
  }
  int exchanges(int) const override { return 2; }
  double largest_share(int members) const override {
    return largest_share_of_sides(problem_, members);
  }

 private:
  std::unique_ptr<Sketch> sketch(uint64_t seed) const {
    if (hyper_.start != Start::sketch) return nullptr;
    return std::make_unique<Sketch>(problem_, hyper_.sketch_share, seed);
  }

  std::optional<DrawnSubsample> first_ratings(uint64_t seed) const {
    if (hyper_.first_share == 1) return std::nullopt;
    return DrawnSubsample(problem_, Side::x, {hyper_.first_share, kMinRatingsOfFirstUpdate}, seed);
  }

  void begin_with_sketch() { sketch_->run(factors_.of(Side::x), factors_.of(Side::theta), clock_); }
  void run_rotation(Side fixed) {
    rotation_->run(fixed, factors_.of(Side::x), factors_.of(Side::theta), clock_);
  }

  void warm_up() {
    if (sketch_) begin_with_sketch();
    factors_.round(Side::theta, x_.factors_type());
    factors_.round(Side::x, theta_.factors_type());
    x_.warm_up(factors_.operands(Side::x));
    theta_.warm_up(factors_.operands(Side::theta));
    factors_.exchange(Side::x, theta_.factors_type());
    factors_.exchange(Side::theta, x_.factors_type());
    if (rotation_)
      for (const Side fixed : {Side::theta, Side::x}) run_rotation(fixed);
    if (over_relaxation_) {
      over_relaxation_->keep(factors_.of(Side::x));
      over_relaxation_->apply(factors_.of(Side::x));
    }
    if (first_ratings_) first_ratings_->draw();
    factors_.reset();
    clock_.finish();
  }

  // Whether an iteration has more than the updates of both sides.
  bool is_special(int iteration) const {
    return iteration <= hyper_.rotated_iterations ||
           (iteration == 1 && (sketch_ != nullptr || first_ratings_)) ||
           (iteration == kOverRelaxedIteration && over_relaxation_);
  }

  // The first iterations change the factors most, so what they leave has scales of its own.
  static CopyScales usual_scales(int iteration) {
    return iteration > parameters::kEarlyIterations ? CopyScales::carried : CopyScales::own;
  }
  // Also what a special iteration leaves, and what follows that.
  CopyScales scales_of(int iteration) const {
    const bool apart = is_special(iteration) || is_special(iteration - 1);
    return apart ? CopyScales::own : usual_scales(iteration);
  }

  void update_both(int iteration, CopyScales scales) {
    for (HalfIteration* half : {&x_, &theta_}) half->begin(iteration);
    factors_.update(x_, factors_.operands(Side::x), {theta_.factors_type(), scales}, clock_);
    factors_.update(theta_, factors_.operands(Side::theta), {x_.factors_type(), scales}, clock_);
  }

  void update_specially(int iteration) {
    for (HalfIteration* half : {&x_, &theta_}) half->begin(iteration);
    const bool rotates = iteration <= hyper_.rotated_iterations;
    const bool rotates_next = iteration < hyper_.rotated_iterations;
    if (iteration == 1 && sketch_) {
      begin_with_sketch();
      if (!rotates) factors_.convert(Side::theta, x_.factors_type(), clock_);
    }
    if (rotates) rotate(Side::theta);
    update_x(iteration, rotates ? Scalar::fp32 : theta_.factors_type());
    if (rotates) rotate(Side::x);
    factors_.update(theta_, factors_.operands(Side::theta),
                    {rotates_next ? Scalar::fp32 : x_.factors_type()}, clock_);
  }

  // Before side `fixed` is read: its copy is made again.
  void rotate(Side fixed) {
    run_rotation(fixed);
    factors_.convert(fixed, (fixed == Side::x ? theta_ : x_).factors_type(), clock_);
  }

  // `type`: as in Factors::Reading.
  void update_x(int iteration, Scalar type) {
    HalfIteration::Operands operands = factors_.operands(Side::x);
    if (iteration == 1 && first_ratings_) {
      clock_.device(name_of(Side::x), "subsample", [&] { first_ratings_->draw(); });
      operands.ratings = first_ratings_->view();
    }
    if (iteration != kOverRelaxedIteration || !over_relaxation_)
      return factors_.update(x_, operands, {type}, clock_);
    FactorMatrix& x = factors_.of(Side::x);
    factors_.exchange(Side::x, Scalar::fp32, clock_);  // all rows are blended
    clock_.device(name_of(Side::x), "over_relaxation", [&] { over_relaxation_->keep(x); });
    factors_.update(x_, operands, {Scalar::fp32}, clock_);
    clock_.device(name_of(Side::x), "over_relaxation", [&] { over_relaxation_->apply(x); });
    factors_.convert(Side::x, type, clock_);
  }

  const DeviceProblem& problem_;
  const AlsHyper hyper_;
  int64_t shared_bytes_;
  FactorMatrix constant_;  // empty where Theta does not begin with it
  Factors factors_;
  RmseEvaluator rmse_;
  std::unique_ptr<Sketch> sketch_;
  std::optional<DrawnSubsample> first_ratings_;
  HalfIteration x_, theta_;
  StageClock clock_;
  StepCounter step_counter_;
  std::optional<Rotation> rotation_;
  std::optional<OverRelaxation> over_relaxation_;
  std::optional<RecordedIterations> recorded_;
  CopyScales scales_ = CopyScales::own;  // of the last iteration
};

const PipelineGrammar& pipelines(const std::string&) { return als_pipelines(); }

std::unique_ptr<Training> start_als(const DeviceProblem& problem, const Recipe& recipe,
                                    uint64_t seed) {
  if (AlsHyper(recipe.hyper).biases) return start_biased_als(problem, recipe, seed);
  return std::make_unique<AlsTraining>(problem, recipe, seed);
}

// Sketches, samples and levels are made of all ratings at once; rotation and over-relaxation take
// the memory of more factors.
bool streams(const Recipe& recipe) {
  const AlsHyper hyper(recipe.hyper);
  return hyper.start != Start::sketch && hyper.first_share == 1 && !hyper.biases &&
         hyper.rotated_iterations == 0 && hyper.over_relaxation == 0;
}

}  // namespace

Algorithm als() {
  return {.name = "als",
          .parts = kSideNames,
          .metric = "rmse",
          .hyper = als_hyper_space(),
          .pipelines = pipelines,
          .shape = part_shape,
          .shape_of_set = part_shape_of_set,
          .part_seconds = part_seconds,
          .streams = streams,
          .start = start_als};
}

}  // namespace alsbench
