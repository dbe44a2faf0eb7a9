// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/fold_in.h"

#include <fmt/format.h>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/data/split.h"

namespace alsbench {
namespace {

// How a training begins is of no matter.
Recipe begun_recipe(const ModelObjective& objective) {
  const Algorithm& algorithm = algorithm_of_feedback(algorithm_named(objective.algorithm).feedback);
  Recipe recipe = begin_recipe(algorithm);
  for (const char* name : {"alpha", "regularisation", "confidence", "biases"})
    if (recipe.hyper.has(name) && objective.hyper.has(name))
      recipe.hyper.set(name, objective.hyper.get(name));
  return recipe;
}

RatingSet set_of(const Csr& ratings, Side side, double mean) {
  RatingSet set;
  set.id = "fold-in";
  set.by_user = side == Side::x ? ratings : transpose(ratings);
  set.by_item = side == Side::x ? transpose(ratings) : ratings;
  set.test = empty_csr(set.by_user.rows, set.by_user.cols);
  set.mean = mean;
  return set;
}

}  // namespace

Config row_hyper(const ModelObjective& objective) { return begun_recipe(objective).hyper; }

std::vector<float> fold_in(Device& device, const ModelObjective& objective, Side side,
                           const Csr& ratings, const NpyMatrix& fixed) {
  const RatingSet set = set_of(ratings, side, objective.mean);
  const DeviceProblem problem(device, set, static_cast<int32_t>(fixed.cols),
                              static_cast<float>(objective.lambda));
  const Recipe recipe = exact_recipe(begun_recipe(objective), device.traits().backend);
  const auto training = recipe.algorithm->start(problem, recipe, 0);
  auto matrices = matrices_of_model(set.by_user.rows, set.by_item.rows, fixed.cols);
  for (ModelMatrix& matrix : matrices)
    if (matrix.name == name_of(side))
      matrix.values.assign(static_cast<size_t>(matrix.rows * matrix.rank), 0.0f);
    else
      matrix.values.assign(fixed.values.begin(), fixed.values.end());
  training->restore({matrices.begin(), matrices.end()}, 0);
  const std::string part(name_of(side));
  if (const int64_t failed = training->update(part); failed > 0)
    throw UsageError(
        fmt::format("the equations of {} of {} rows have no solution in float; use a larger lambda",
                    failed, ratings.rows));
  for (ModelMatrix& matrix : training->model())
    if (matrix.name == part) return std::move(matrix.values);
  return {};
}

}  // namespace alsbench
