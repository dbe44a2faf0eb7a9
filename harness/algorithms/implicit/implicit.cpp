// SPDX-License-Identifier: Apache-2.0
// Implicit ALS: alternates the pipelines of X and Theta over all cells
// (docs/explanation/implicit.md).
#include "kernels/shared/params/implicit.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/als/factors.h"
#include "harness/algorithms/als/half_iteration.h"
#include "harness/algorithms/implicit/gram_matrices.h"
#include "harness/algorithms/implicit/loss.h"
#include "harness/problem/rating_weights.h"
#include "variants/implicit/implicit.h"

namespace alsbench {
namespace {

std::string id_of(const std::vector<std::string>& ids, int64_t row) {
  return ids.empty() ? fmt::to_string(row) : ids[static_cast<size_t>(row)];
}

// Whether ratings are confidences themselves, times alpha (cell_weights).
bool is_direct(const Config& hyper) { return hyper.is("confidence", "direct"); }

// "r.csv: user ann and item tea have the rating"; ratings of a matrix have neither file nor ids.
std::string cell_text(const RatingSet& set, const Csr& ratings, int64_t row, int32_t col) {
  if (set.id.empty())
    return fmt::format("row {}, column {} of the {} has the value", row, col,
                       &ratings == &set.test ? "test matrix" : "matrix");
  return fmt::format("{}: user {} and item {} have the rating", set.id, id_of(set.users, row),
                     id_of(set.items, col));
}

// A confidence below one would be no confidence.
void check_ratings(const RatingSet& set) {
  for (const Csr* ratings : {&set.by_user, &set.test})
    for (int64_t row = 0; row < ratings->rows; ++row)
      for (int64_t k = ratings->offsets[row]; k < ratings->offsets[row + 1]; ++k)
        if (!(ratings->values[k] >= 0))
          throw UsageError(fmt::format("{} {}; {}",
                                       cell_text(set, *ratings, row, ratings->indices[k]),
                                       ratings->values[k], kCountsFrom0));
}

// In which types pipelines read factors.
std::set<Scalar> factor_types(const Recipe& recipe) {
  std::set<Scalar> types;
  for (const auto& [part, pipeline] : recipe.pipelines)
    for (const PipelineStep& step : pipeline.steps) types.insert(step.storage().factors);
  return types;
}

class ImplicitTraining : public Training {
 public:
  ImplicitTraining(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed)
      : problem_(problem),
        alpha_(static_cast<float>(recipe.hyper.number("alpha"))),
        direct_(is_direct(recipe.hyper)),
        weight_(recipe.hyper.is("regularisation", "weighted") ? RowWeight::ratings
                                                              : RowWeight::one),
        shared_bytes_(initial_bytes_reused(problem, seed)),
        weights_(factor_types(recipe).contains(Scalar::int8)
                     ? std::optional<RatingWeights>(std::in_place, problem.set().by_user, alpha_)
                     : std::nullopt),
        factors_(problem, problem.initial(Side::theta, seed),
                 weights_ ? weights_->roots() : Int8Weights{}),
        gram_matrices_(problem),
        loss_(problem, alpha_, direct_, weight_),
        x_(problem, Side::x, recipe.of("x"), arguments(Side::theta)),
        theta_(problem, Side::theta, recipe.of("theta"), arguments(Side::x)),
        clock_(problem.device()),
        step_counter_(problem) {
    if (!direct_) check_ratings(problem.set());
    for (const HalfIteration* half : {&x_, &theta_})
      if (half->factors_type() == Scalar::int8)
        weighted_[half->side()] =
            weighted_ratings(problem.device(), problem.host_ratings(half->side()),
                             problem.ratings(half->side()), *weights_);
    warm_up();
    recorded_.emplace(problem, clock_, [&](int iteration) { update_both(iteration); });
    factors_.round(Side::theta, x_.factors_type());
    problem.device().synchronize();
  }

  IterationTimes iterate(int iteration) override {
    if (!recorded_->run(iteration)) update_both(iteration);
    return clock_.finish();
  }

  int64_t update(const std::string& part) override {
    HalfIteration& half = side_of(part) == Side::x ? x_ : theta_;
    update(half, Scalar::fp32);
    clock_.finish();
    return half.failed_rows();
  }

  MetricValues evaluate(int iteration, EvaluatedRatings /*judged*/) override {
    for (const Side side : {Side::x, Side::theta}) factors_.exchange(side, Scalar::fp32);
    const MetricValues values = loss_.evaluate(factors_.of(Side::x), factors_.of(Side::theta));
    if (std::isfinite(values.train)) return values;
    factors_.throw_non_finite(iteration, "use a larger lambda or a smaller alpha");
    throw NonFiniteError(
        fmt::format("training loss of iteration {} is not finite; use a smaller alpha", iteration));
  }

  double mean_solver_steps() const override { return step_counter_.mean(x_, theta_); }
  int64_t failed_rows() const override { return x_.failed_rows() + theta_.failed_rows(); }
  int64_t overflows() const override { return factors_.overflows(); }
  int64_t shared_bytes() const override { return shared_bytes_; }
  std::vector<ModelMatrix> model() override { return factors_.model(); }
  std::vector<ModelMatrix> last_model() override { return factors_.last_model(); }
  void restore(const std::vector<ModelMatrix>& model, const CopyState& copies) override {
    factors_.restore(model);
    factors_.round(Side::theta, x_.factors_type());
    factors_.restore_overflows(copies.overflows);
  }
  int64_t exchanged_bytes(int members) const override {
    return factors_.exchanged_bytes(x_, Scalar::fp32, members) +
           factors_.exchanged_bytes(theta_, Scalar::fp32, members);
  }
  int exchanges(int) const override { return 2; }
  double largest_share(int members) const override {
    return largest_share_of_sides(problem_, members);
  }

 private:
  void form_gram(Side side) { gram_matrices_.form(side, factors_.of(side), RowWeight::one); }

  void warm_up() {
    factors_.round(Side::theta, x_.factors_type());
    factors_.round(Side::x, theta_.factors_type());
    for (HalfIteration* half : {&x_, &theta_}) {
      form_gram(other(half->side()));
      half->warm_up(operands(half->side()));
      factors_.exchange(half->side(), Scalar::fp32);
    }
    factors_.reset();
  }

  HalfIteration::Operands operands(Side side) {
    HalfIteration::Operands operands = factors_.operands(side);
    if (const auto weighted = weighted_.find(side); weighted != weighted_.end())
      operands.ratings = weighted->second.view;
    return operands;
  }

  // The stages' arguments where `fixed` is the side that is read.
  HalfIteration::Arguments arguments(Side fixed) const {
    const float* gram = gram_matrices_.of(fixed);
    const int32_t weighted = weight_ == RowWeight::ratings ? 1 : 0;
    return [gram, weighted, alpha = alpha_, direct = direct_ ? 1 : 0](
               Stage stage, const UpdateParams& batch) -> StageParams {
      if (stage == &stages::implicit_equations || stage == &stages::implicit_update)
        return ImplicitParams{batch, gram, alpha, weighted, nullptr, direct};
      return batch;
    };
  }

  void update_both(int iteration) {
    for (HalfIteration* half : {&x_, &theta_}) half->begin(iteration);
    update(x_, theta_.factors_type());
    update(theta_, x_.factors_type());
  }

  // `type`: as in Factors::update. The Gram matrix is of the factors in fp32, so the members of a
  // team exchange these and each makes the copy of all rows: the bits are one device's.
  void update(HalfIteration& half, Scalar type) {
    const Side side = half.side();
    const bool alone = problem_.member().alone();
    clock_.device(name_of(side), "gram", [&] { form_gram(other(side)); });
    factors_.update(half, operands(side), {alone ? type : Scalar::fp32}, clock_);
    if (!alone) factors_.convert(side, type, clock_);
  }

  const DeviceProblem& problem_;
  const float alpha_;
  const bool direct_;
  const RowWeight weight_;  // of regularisation
  int64_t shared_bytes_;
  std::optional<RatingWeights> weights_;      // where a side reads bytes
  std::map<Side, WeightedRatings> weighted_;  // of the sides that do
  Factors factors_;
  GramMatrices gram_matrices_;
  ImplicitLoss loss_;
  HalfIteration x_, theta_;
  StageClock clock_;
  StepCounter step_counter_;
  std::optional<RecordedIterations> recorded_;
};

std::unique_ptr<Training> start_implicit(const DeviceProblem& problem, const Recipe& recipe,
                                         uint64_t seed) {
  const bool direct = is_direct(recipe.hyper);
  if (direct && problem.device().traits().backend != Backend::cpu)
    throw ObjectionError(
        "confidence=direct is computed on a CPU; choose the device cpu, or make ratings r of the "
        "confidences c = 1 + alpha r");
  Shape shape;
  shape.negative_weights = direct;
  for (const Scalar type : factor_types(recipe))
    if (direct && type != Scalar::fp32) throw ObjectionError(*root_weights_objection(shape, type));
  return std::make_unique<ImplicitTraining>(problem, recipe, seed);
}

}  // namespace

Algorithm implicit_als() {
  return {
      .name = "implicit-als",
      .parts = kSideNames,
      .metric = "loss",
      .feedback = "implicit",
      .hyper = {{.name = "alpha",
                 .values = {40},
                 .description = "the confidence in a rating r is 1 + alpha r",
                 .effect = Effect::accuracy,
                 .open = true},
                {.name = "regularisation",
                 .values = {"plain", "weighted"},
                 .description = "lambda, or lambda times a row's number of ratings",
                 .effect = Effect::accuracy},
                {.name = "confidence",
                 .values = {"added", "direct"},
                 .description = "in a rating r: 1 + alpha r; or alpha |r|, where r below 0 says "
                                "that the user does not prefer the item (CPU)",
                 .effect = Effect::accuracy,
                 .named_at_default = false}},
      .minimised = {"alpha", "regularisation", "confidence"},
      .measured_with = {"alpha", "confidence"},
      .lacks = {{"biases",
                 "they would give every cell without a rating a target of its own, whose sum "
                 "the Gram matrix does not have"}},
      .pipelines = [](const std::string&) -> const PipelineGrammar& {
        return implicit_pipelines();
      },
      .shape = part_shape,
      .shape_of_set = part_shape_of_set,
      .part_seconds = part_seconds,
      .negative_weights = is_direct,
      .start = start_implicit};
}

}  // namespace alsbench
