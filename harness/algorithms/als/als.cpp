// SPDX-License-Identifier: Apache-2.0
// Explicit ALS: alternates the pipelines of X and Theta (docs/design.md, "The problem").
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/als/drawn_subsample.h"
#include "harness/algorithms/als/half_iteration.h"
#include "harness/algorithms/als/hyper.h"
#include "harness/algorithms/als/over_relaxation.h"
#include "harness/algorithms/als/rotation.h"
#include "harness/algorithms/als/sketch.h"
#include "harness/algorithms/rmse.h"
#include "harness/data/data_shape.h"
#include "harness/problem/factor_copy.h"
#include "variants/als/pipelines.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

const std::vector<std::string> kParts{"x", "theta"};

// Rows of the first update of X have so many ratings at least, where they have them at all.
constexpr int64_t kLeastOfFirst = 64;
// X is over-relaxed in this iteration alone: kept on, it costs what it has gained.
constexpr int kOverRelaxedIteration = 2;

Side side_of(const std::string& part) { return side_named(part).value(); }

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

// The two factor matrices with the rounded copies that pipelines read.
class Factors {
 public:
  Factors(const DeviceProblem& problem, Start start, uint64_t seed)
      : problem_(&problem),
        device_(&problem.device()),
        x_(*device_, problem.ratings(Side::x).rows, problem.rank()),
        theta_(*device_, problem.ratings(Side::theta).rows, problem.rank()),
        constant_(start == Start::constant ? constant_start(problem, seed) : FactorMatrix()),
        initial_theta_(start == Start::constant ? constant_ : problem.initial(Side::theta, seed)),
        overflows_(device_->allocate(sizeof(uint32_t))) {
    reset();
  }

  // X = 0 and Theta random: where training starts, or a sketch.
  void reset() {
    device_->fill(x_.view().data, 0, x_.bytes());
    device_->copy(theta_.view().data, initial_theta_.view().data, theta_.bytes());
    device_->fill(overflows_.data(), 0, overflows_.bytes());
  }

  const FactorMatrix& of(Side side) const { return side == Side::x ? x_ : theta_; }
  FactorMatrix& of(Side side) { return side == Side::x ? x_ : theta_; }
  // The rounded copies remain what they were.
  void rotate(Rotation& rotation, Side fixed, StageClock& clock) {
    rotation.run(fixed, x_, theta_, clock);
  }
  void begin(Sketch& sketch, StageClock& clock) { sketch.run(x_, theta_, clock); }
  // What updates `side`.
  HalfIteration::Operands operands(Side side) {
    return {problem_->ratings(side),     of(other(side)),
            rounded(other(side)).data(), of(side),
            rounded(side).data(),        overflows_.as<uint32_t>()};
  }

  // Makes a side's copy of a type other than fp32, enqueued.
  void round(Side side, Scalar type) {
    if (type == Scalar::fp32) return;
    Buffer& copy = rounded(side);
    const FactorsView factors = of(side).view();
    if (!copy) copy = device_->allocate(factor_copy_bytes(type, factors));
    copy_factors(*device_, copy.data(), type, factors, overflows_.as<uint32_t>());
  }
  // The same in bytes, after an update that measured.
  void round_measured(Side side) {
    copy_measured_factors(*device_, rounded(side).data(), of(side).view());
  }
  // Factors that became infinite in such a copy.
  int64_t overflows() const {
    uint32_t count = 0;
    device_->download(&count, overflows_.data(), sizeof(count));
    return count;
  }

 private:
  Buffer& rounded(Side side) { return side == Side::x ? x_rounded_ : theta_rounded_; }

  const DeviceProblem* problem_;
  Device* device_;
  FactorMatrix x_, theta_;
  FactorMatrix constant_;              // empty where Theta does not begin with it
  const FactorMatrix& initial_theta_;  // that, or the problem's, where others begin, too
  Buffer x_rounded_, theta_rounded_, overflows_;
};

void throw_non_finite(const Factors& factors, int iteration) {
  if (const int64_t count = factors.overflows(); count > 0)
    throw NonFiniteError(
        fmt::format("non-finite factors in iteration {}: {} of them are beyond the type that the "
                    "pipeline reads them in; use a pipeline with factors in bf16, tf32 or fp32 "
                    "(cg-fp32), or a larger lambda",
                    iteration, count));
  for (const Side side : {Side::x, Side::theta}) {
    const std::vector<float> values = factors.of(side).download();
    const int32_t rank = factors.of(side).view().rank;
    for (size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        throw NonFiniteError(
            fmt::format("non-finite factor in iteration {}: {} row {}, element {} is {}; the "
                        "pipeline loses too much precision on this set; try cg-fp32 or exact",
                        iteration, name_of(side), static_cast<int64_t>(i) / rank,
                        static_cast<int64_t>(i) % rank, values[i]));
  }
  throw NonFiniteError(fmt::format(
      "training RMSE of iteration {} is not finite; are all ratings finite?", iteration));
}

class AlsTraining : public Training {
 public:
  AlsTraining(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed)
      : problem_(problem),
        hyper_(recipe.hyper),
        shared_bytes_(hyper_.start == Start::constant ? 0 : initial_bytes_held(problem, seed)),
        factors_(problem_, hyper_.start, seed),
        rmse_(problem_),
        sketch_(sketch(seed)),
        first_ratings_(first_ratings(seed)),
        x_(problem_, Side::x, recipe.of("x")),
        theta_(problem_, Side::theta, recipe.of("theta")),
        clock_(problem.device()) {
    if (hyper_.rotated_iterations > 0) rotation_.emplace(problem_);
    if (hyper_.over_relaxation > 0) over_relaxation_.emplace(problem_, hyper_.over_relaxation);
    warm_up();
    factors_.round(Side::theta, x_.factors_type());
    problem.device().synchronize();
  }

  IterationTimes iterate(int iteration) override {
    const bool rotates = iteration <= hyper_.rotated_iterations;
    const bool rotates_next = iteration < hyper_.rotated_iterations;
    if (iteration == 1 && sketch_) {
      factors_.begin(*sketch_, clock_);
      if (!rotates) convert(Side::theta, x_.factors_type());
    }
    if (rotates) rotate(Side::theta);
    update_x(iteration, rotates ? Scalar::fp32 : theta_.factors_type());
    if (rotates) rotate(Side::x);
    update(theta_, factors_.operands(Side::theta), rotates_next ? Scalar::fp32 : x_.factors_type());
    return clock_.finish();
  }

  MetricValues evaluate(int iteration) override {
    const FactorMatrix &x = factors_.of(Side::x), &theta = factors_.of(Side::theta);
    const double train = rmse_.train(x, theta).rmse;
    const RmseResult test = rmse_.test(x, theta);
    if (!std::isfinite(train)) throw_non_finite(factors_, iteration);
    return {train, test.rmse, test.cold};
  }

  double mean_solver_steps() const override {
    const double rows =
        static_cast<double>(problem_.ratings(Side::x).rows + problem_.ratings(Side::theta).rows);
    return rows > 0 ? (x_.cg_steps() + theta_.cg_steps()) / rows : 0;
  }
  int64_t failed_rows() const override { return x_.failed_rows() + theta_.failed_rows(); }
  int64_t overflows() const override { return factors_.overflows(); }
  int64_t shared_bytes() const override { return shared_bytes_; }

  std::vector<ModelMatrix> model() const override {
    std::vector<ModelMatrix> matrices;
    for (const std::string& part : kParts) {
      const FactorMatrix& factors = factors_.of(side_of(part));
      matrices.push_back({part, factors.download(), factors.view().rows, problem_.rank()});
    }
    return matrices;
  }

 private:
  // Bytes of the initial factors where the problem had them before.
  static int64_t initial_bytes_held(const DeviceProblem& problem, uint64_t seed) {
    const int64_t before = problem.device().allocated_bytes();
    const FactorMatrix& initial = problem.initial(Side::theta, seed);
    return initial.bytes() - (problem.device().allocated_bytes() - before);
  }

  std::unique_ptr<Sketch> sketch(uint64_t seed) const {
    if (hyper_.start != Start::sketch) return nullptr;
    return std::make_unique<Sketch>(problem_, hyper_.sketch_share, seed);
  }

  std::optional<DrawnSubsample> first_ratings(uint64_t seed) const {
    if (hyper_.first_share == 1) return std::nullopt;
    return DrawnSubsample(problem_, Side::x, {hyper_.first_share, kLeastOfFirst}, seed);
  }

  void warm_up() {
    if (sketch_) factors_.begin(*sketch_, clock_);
    factors_.round(Side::theta, x_.factors_type());
    factors_.round(Side::x, theta_.factors_type());
    x_.warm_up(factors_.operands(Side::x));
    theta_.warm_up(factors_.operands(Side::theta));
    if (rotation_)
      for (const Side fixed : {Side::theta, Side::x}) factors_.rotate(*rotation_, fixed, clock_);
    if (over_relaxation_) {
      over_relaxation_->keep(factors_.of(Side::x));
      over_relaxation_->apply(factors_.of(Side::x));
    }
    if (first_ratings_) first_ratings_->draw();
    factors_.reset();
    clock_.finish();
  }

  // Before side `fixed` is read: its copy is made anew.
  void rotate(Side fixed) {
    factors_.rotate(*rotation_, fixed, clock_);
    convert(fixed, (fixed == Side::x ? theta_ : x_).factors_type());
  }

  void convert(Side side, Scalar type) {
    if (type == Scalar::fp32) return;
    clock_.device(name_of(side), "convert", [&] { factors_.round(side, type); });
  }

  // `type`: as in update().
  void update_x(int iteration, Scalar type) {
    HalfIteration::Operands operands = factors_.operands(Side::x);
    if (iteration == 1 && first_ratings_) {
      clock_.device(name_of(Side::x), "subsample", [&] { first_ratings_->draw(); });
      operands.ratings = first_ratings_->view();
    }
    if (iteration != kOverRelaxedIteration || !over_relaxation_) return update(x_, operands, type);
    FactorMatrix& x = factors_.of(Side::x);
    clock_.device(name_of(Side::x), "over_relaxation", [&] { over_relaxation_->keep(x); });
    update(x_, operands, Scalar::fp32);
    clock_.device(name_of(Side::x), "over_relaxation", [&] { over_relaxation_->apply(x); });
    convert(Side::x, type);
  }

  // `type`: how the other side's pipeline reads this side; fp32 where a copy of another type would
  // be made in vain.
  void update(HalfIteration& half_iteration, HalfIteration::Operands operands, Scalar type) {
    const Side side = half_iteration.side();
    const bool same = half_iteration.factors_type() == type;
    const bool rounded = same && half_iteration.rounds();
    const bool measured = same && half_iteration.measures();
    if (!rounded && !measured) operands.rounded_solution = nullptr;
    half_iteration.run(operands, clock_);
    if (measured)
      clock_.device(name_of(side), "convert", [&] { factors_.round_measured(side); });
    else if (!rounded)
      convert(side, type);
  }

  const DeviceProblem& problem_;
  const AlsHyper hyper_;
  int64_t shared_bytes_;
  Factors factors_;
  RmseEvaluator rmse_;
  std::unique_ptr<Sketch> sketch_;
  std::optional<DrawnSubsample> first_ratings_;
  HalfIteration x_, theta_;
  StageClock clock_;
  std::optional<Rotation> rotation_;
  std::optional<OverRelaxation> over_relaxation_;
};

const PipelineGrammar& pipelines(const std::string&) { return als_pipelines(); }

Shape shape(const DeviceProblem& problem, const std::string& part) {
  return problem.shape(side_of(part));
}

Shape shape_of_set(const RatingSet& set, int32_t rank, const std::string& part) {
  return shape_of(side_of(part) == Side::x ? set.by_user : set.by_item, rank);
}

// The conversion of factors to another type counts for the side that reads them.
double part_seconds(const IterationRecord& record, const std::string& part) {
  const std::string read = std::string(name_of(other(side_of(part)))) + "/convert";
  double seconds = 0;
  for (const auto& [stage, value] : record.stage_seconds)
    if ((stage.starts_with(part + "/") && !stage.ends_with("/convert")) || stage == read)
      seconds += value;
  return seconds;
}

std::unique_ptr<Training> start(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed) {
  return std::make_unique<AlsTraining>(problem, recipe, seed);
}

}  // namespace

Algorithm als() {
  return {.name = "als",
          .parts = kParts,
          .metric = "rmse",
          .hyper = als_hyper_space(),
          .pipelines = pipelines,
          .shape = shape,
          .shape_of_set = shape_of_set,
          .part_seconds = part_seconds,
          .start = start};
}

}  // namespace alsbench
