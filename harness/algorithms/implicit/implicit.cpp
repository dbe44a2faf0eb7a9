// SPDX-License-Identifier: Apache-2.0
// Implicit ALS: alternates the pipelines of X and Theta over all cells (docs/implicit.md).
#include "kernels/shared/params/implicit.h"

#include <fmt/format.h>

#include <cmath>

#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/als/half_iteration.h"
#include "harness/algorithms/implicit/grams.h"
#include "harness/algorithms/implicit/loss.h"
#include "harness/data/data_shape.h"
#include "variants/core/error.h"
#include "variants/implicit/implicit.h"

namespace alsbench {
namespace {

const std::vector<std::string> kParts{"x", "theta"};

Side side_of(const std::string& part) { return side_named(part).value(); }

std::string id_of(const std::vector<std::string>& ids, int64_t row) {
  return ids.empty() ? fmt::to_string(row) : ids[static_cast<size_t>(row)];
}

// A confidence below one would be no confidence.
void check_ratings(const RatingSet& set) {
  for (const Csr* ratings : {&set.by_user, &set.test})
    for (int64_t row = 0; row < ratings->rows; ++row)
      for (int64_t k = ratings->offsets[row]; k < ratings->offsets[row + 1]; ++k)
        if (!(ratings->values[k] >= 0))
          throw UsageError(fmt::format(
              "{}: user {} and item {} have the rating {}; implicit feedback counts what users "
              "did, from 0 on: shift the ratings or leave such cells out",
              set.id, id_of(set.users, row), id_of(set.items, ratings->indices[k]),
              ratings->values[k]));
}

void throw_non_finite(const FactorMatrix& factors, Side side, int iteration) {
  const std::vector<float> values = factors.download();
  const int64_t rank = factors.view().rank;
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isfinite(values[i]))
      throw NonFiniteError(fmt::format(
          "non-finite factor in iteration {}: {} row {}, element {} is {}; use a larger lambda or "
          "a smaller alpha",
          iteration, name_of(side), static_cast<int64_t>(i) / rank, static_cast<int64_t>(i) % rank,
          values[i]));
}

class ImplicitTraining : public Training {
 public:
  ImplicitTraining(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed)
      : problem_(problem),
        alpha_(static_cast<float>(recipe.hyper.number("alpha"))),
        weight_(recipe.hyper.is("regularisation", "weighted") ? RowWeight::ratings
                                                              : RowWeight::one),
        x_(problem.device(), problem.ratings(Side::x).rows, problem.rank()),
        theta_(problem.device(), problem.ratings(Side::theta).rows, problem.rank()),
        grams_(problem),
        loss_(problem, alpha_, weight_),
        update_x_(problem, Side::x, recipe.of("x"), arguments(Side::theta)),
        update_theta_(problem, Side::theta, recipe.of("theta"), arguments(Side::x)),
        clock_(problem.device()) {
    check_ratings(problem.set());
    begin(seed);
    warm_up();
    begin(seed);
    problem.device().synchronize();
  }

  IterationTimes iterate(int) override {
    update(update_x_);
    update(update_theta_);
    return clock_.finish();
  }

  MetricValues evaluate(int iteration) override {
    const MetricValues values = loss_.evaluate(x_, theta_);
    if (std::isfinite(values.train)) return values;
    for (const Side side : {Side::x, Side::theta}) throw_non_finite(of(side), side, iteration);
    throw NonFiniteError(
        fmt::format("training loss of iteration {} is not finite; use a smaller alpha", iteration));
  }

  double mean_solver_steps() const override {
    const double rows = static_cast<double>(x_.view().rows + theta_.view().rows);
    return rows > 0 ? (update_x_.cg_steps() + update_theta_.cg_steps()) / rows : 0;
  }
  int64_t failed_rows() const override {
    return update_x_.failed_rows() + update_theta_.failed_rows();
  }

  std::vector<ModelMatrix> model() const override {
    std::vector<ModelMatrix> matrices;
    for (const std::string& part : kParts) {
      const FactorMatrix& factors = side_of(part) == Side::x ? x_ : theta_;
      matrices.push_back({part, factors.download(), factors.view().rows, problem_.rank()});
    }
    return matrices;
  }

 private:
  const FactorMatrix& of(Side side) const { return side == Side::x ? x_ : theta_; }

  // X = 0 and Theta random.
  void begin(uint64_t seed) {
    problem_.device().fill(x_.view().data, 0, x_.bytes());
    theta_.upload(initial_factors(theta_.view().rows, problem_.rank(), seed));
  }

  void warm_up() {
    for (HalfIteration* half : {&update_x_, &update_theta_}) {
      grams_.form(other(half->side()), of(other(half->side())), RowWeight::one);
      half->warm_up(operands(half->side()));
    }
  }

  // The stages' arguments where `fixed` is the side that is read.
  HalfIteration::Arguments arguments(Side fixed) const {
    const float* gram = grams_.of(fixed);
    const int32_t weighted = weight_ == RowWeight::ratings ? 1 : 0;
    return [gram, weighted, alpha = alpha_](Stage stage, const UpdateParams& batch) -> StageParams {
      if (stage == &stages::implicit_equations) return ImplicitParams{batch, gram, alpha, weighted};
      return batch;
    };
  }

  HalfIteration::Operands operands(Side side) const {
    return {problem_.ratings(side), of(other(side)), nullptr, of(side), nullptr, nullptr};
  }

  void update(HalfIteration& half) {
    const Side fixed = other(half.side());
    clock_.device(name_of(half.side()), "gram",
                  [&] { grams_.form(fixed, of(fixed), RowWeight::one); });
    half.run(operands(half.side()), clock_);
  }

  const DeviceProblem& problem_;
  const float alpha_;
  const RowWeight weight_;  // of regularisation
  FactorMatrix x_, theta_;
  Grams grams_;
  ImplicitLoss loss_;
  HalfIteration update_x_, update_theta_;
  StageClock clock_;
};

Shape shape(const DeviceProblem& problem, const std::string& part) {
  return problem.shape(side_of(part));
}

Shape shape_of_set(const RatingSet& set, int32_t rank, const std::string& part) {
  return shape_of(side_of(part) == Side::x ? set.by_user : set.by_item, rank);
}

double part_seconds(const IterationRecord& record, const std::string& part) {
  double seconds = 0;
  for (const auto& [stage, value] : record.stage_seconds)
    if (stage.starts_with(part + "/")) seconds += value;
  return seconds;
}

std::unique_ptr<Training> start(const DeviceProblem& problem, const Recipe& recipe, uint64_t seed) {
  return std::make_unique<ImplicitTraining>(problem, recipe, seed);
}

}  // namespace

Algorithm implicit_als() {
  return {.name = "implicit-als",
          .parts = kParts,
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
                     .effect = Effect::accuracy}},
          .pipelines = [](const std::string&) -> const PipelineGrammar& {
            return implicit_pipelines();
          },
          .shape = shape,
          .shape_of_set = shape_of_set,
          .part_seconds = part_seconds,
          .start = start};
}

}  // namespace alsbench
