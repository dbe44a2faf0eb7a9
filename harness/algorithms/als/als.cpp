// SPDX-License-Identifier: Apache-2.0
// Explicit ALS: alternates the pipelines of X and Theta (docs/design.md, "The problem").
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>

#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/als/half_iteration.h"
#include "harness/algorithms/als/rotation.h"
#include "harness/algorithms/rmse.h"
#include "harness/data/data_shape.h"
#include "harness/problem/factor_copy.h"
#include "variants/als/pipelines.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

const std::vector<std::string> kParts{"x", "theta"};

constexpr const char* kRotatedIterations = "rotated_iterations";

Side side_of(const std::string& part) { return side_named(part).value(); }

int rotated_iterations(const Config& hyper) {
  return hyper.has(kRotatedIterations) ? hyper.integer(kRotatedIterations) : 0;
}

// The two factor matrices with the rounded copies that pipelines read.
class Factors {
 public:
  Factors(const DeviceProblem& problem, uint64_t seed)
      : device_(&problem.device()),
        x_(*device_, problem.ratings(Side::x).rows, problem.rank()),
        theta_(*device_, problem.ratings(Side::theta).rows, problem.rank()),
        initial_theta_(problem.initial(Side::theta, seed)),
        overflows_(device_->allocate(sizeof(uint32_t))) {
    reset();
  }

  // X = 0 and Theta random: where training starts.
  void reset() {
    device_->fill(x_.view().data, 0, x_.bytes());
    device_->copy(theta_.view().data, initial_theta_.view().data, theta_.bytes());
    device_->fill(overflows_.data(), 0, overflows_.bytes());
  }

  const FactorMatrix& of(Side side) const { return side == Side::x ? x_ : theta_; }
  // Seconds by stage. The rounded copies remain what they were.
  std::map<std::string, double> rotate(Rotation& rotation, Side fixed) {
    return rotation.run(fixed, x_, theta_);
  }
  // What updates `side`.
  HalfIteration::Operands operands(Side side) {
    return {of(other(side)), rounded(other(side)).data(), of(side), rounded(side).data(),
            overflows_.as<uint32_t>()};
  }

  // Makes a side's copy of a type other than fp32; seconds on the device.
  double round(Side side, Scalar type) {
    if (type == Scalar::fp32) return 0;
    Buffer& copy = rounded(side);
    const FactorsView factors = of(side).view();
    if (!copy) copy = device_->allocate(factor_copy_bytes(type, factors));
    return device_
        ->time(
            [&] { copy_factors(*device_, copy.data(), type, factors, overflows_.as<uint32_t>()); })
        .seconds;
  }
  // Factors that became infinite in such a copy.
  int64_t overflows() const {
    uint32_t count = 0;
    device_->download(&count, overflows_.data(), sizeof(count));
    return count;
  }

 private:
  Buffer& rounded(Side side) { return side == Side::x ? x_rounded_ : theta_rounded_; }

  Device* device_;
  FactorMatrix x_, theta_;
  const FactorMatrix& initial_theta_;  // kept with the problem: others begin there, too
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
        shared_bytes_(initial_bytes_held(problem, seed)),
        factors_(problem_, seed),
        rmse_(problem_),
        x_(problem_, Side::x, recipe.of("x")),
        theta_(problem_, Side::theta, recipe.of("theta")),
        rotated_iterations_(rotated_iterations(recipe.hyper)) {
    if (rotated_iterations_ > 0) rotation_.emplace(problem_);
    warm_up();
    factors_.round(Side::theta, x_.factors_type());
    problem.device().synchronize();
  }

  IterationTimes iterate(int iteration) override {
    IterationTimes times;
    const bool rotates = iteration <= rotated_iterations_;
    const bool rotates_next = iteration < rotated_iterations_;
    if (rotates) rotate(Side::theta, times);
    update(x_, Side::x, rotates ? Scalar::fp32 : theta_.factors_type(), times);
    if (rotates) rotate(Side::x, times);
    update(theta_, Side::theta, rotates_next ? Scalar::fp32 : x_.factors_type(), times);
    return times;
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

  void warm_up() {
    factors_.round(Side::theta, x_.factors_type());
    factors_.round(Side::x, theta_.factors_type());
    x_.warm_up(factors_.operands(Side::x));
    theta_.warm_up(factors_.operands(Side::theta));
    if (rotation_)
      for (const Side fixed : {Side::theta, Side::x}) factors_.rotate(*rotation_, fixed);
    factors_.reset();
  }

  // Before side `fixed` is read: its copy is made anew.
  void rotate(Side fixed, IterationTimes& times) {
    const std::string prefix = std::string(name_of(other(fixed))) + "/";
    for (const auto& [stage, seconds] : factors_.rotate(*rotation_, fixed)) {
      times.stage_seconds[prefix + stage] = seconds;
      times.seconds += seconds;
    }
    convert(fixed, (fixed == Side::x ? theta_ : x_).factors_type(), times);
  }

  void convert(Side side, Scalar type, IterationTimes& times) {
    if (type == Scalar::fp32) return;
    const double seconds = factors_.round(side, type);
    times.stage_seconds[std::string(name_of(side)) + "/convert"] += seconds;
    times.seconds += seconds;
  }

  // `type`: how the other side's pipeline reads this side; fp32 where a copy of another type would
  // be made in vain.
  void update(HalfIteration& half_iteration, Side side, Scalar type, IterationTimes& times) {
    const bool rounded = half_iteration.rounds() && half_iteration.factors_type() == type;
    HalfIteration::Operands operands = factors_.operands(side);
    if (!rounded) operands.rounded_solution = nullptr;
    const HalfIterationTimes own = half_iteration.run(operands);
    const std::string prefix = std::string(name_of(side)) + "/";
    for (const auto& [stage, seconds] : own.stage_seconds)
      times.stage_seconds[prefix + stage] = seconds;
    times.seconds += own.seconds;
    if (!rounded) convert(side, type, times);
  }

  const DeviceProblem& problem_;
  int64_t shared_bytes_;
  Factors factors_;
  RmseEvaluator rmse_;
  HalfIteration x_, theta_;
  int rotated_iterations_;
  std::optional<Rotation> rotation_;
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
          .hyper = {{.name = kRotatedIterations,
                     .values = {0},
                     .description = "first iterations that turn the factors into the basis where "
                                    "A_u is nearly diagonal",
                     .effect = Effect::accuracy,
                     .open = true,
                     .whole = true}},
          .pipelines = pipelines,
          .shape = shape,
          .shape_of_set = shape_of_set,
          .part_seconds = part_seconds,
          .start = start};
}

}  // namespace alsbench
