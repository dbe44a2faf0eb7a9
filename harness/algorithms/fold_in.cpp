// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/fold_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/data/split.h"
#include "kernels/cpu/blas.h"
#include "kernels/cpu/parallel.h"

namespace alsbench {
namespace {

// How a training begins is of no matter.
Recipe begun_recipe(const ModelObjective& objective) {
  Recipe recipe =
      begin_recipe(algorithm_of_feedback(algorithm_named(objective.algorithm).feedback));
  recipe.hyper = row_hyper(objective);
  return recipe;
}

RowRatings ratings_of_row(const Csr& ratings, int64_t row) {
  const auto begin = static_cast<size_t>(ratings.offsets[row]);
  const size_t count = static_cast<size_t>(ratings.offsets[row + 1]) - begin;
  return {ratings.indices.span().subspan(begin, count),
          ratings.values.span().subspan(begin, count)};
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

UsageError no_solution(int64_t failed, int64_t rows) {
  return UsageError(fmt::format(
      "the equations of {} of {} rows have no solution; use a larger lambda", failed, rows));
}

// Errors name the row.
std::optional<std::vector<float>> solved_row(const RowEquations& equations, const Csr& ratings,
                                             int64_t row) {
  try {
    return equations.solve(ratings_of_row(ratings, row));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("row {}: {}", row, error.what()));
  }
}

// A half-iteration.
std::vector<float> trained(Device& device, const ModelObjective& objective, Side side,
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
  training->restore({matrices.begin(), matrices.end()}, {});
  const std::string part(name_of(side));
  if (const int64_t failed = training->update(part); failed > 0)
    throw no_solution(failed, ratings.rows);
  for (ModelMatrix& matrix : training->model())
    if (matrix.name == part) return std::move(matrix.values);
  return {};
}

}  // namespace

const RowEquations& FoldIn::equations() const {
  std::call_once(begun_, [&] { equations_.emplace(objective_, side_, fixed_); });
  return *equations_;
}

std::vector<float> FoldIn::rows(Device& device, const Csr& ratings) const {
  if (ratings.rows > kFewRows) return trained(device, objective_, side_, ratings, fixed_);
  const DeviceTraits& traits = device.traits();
  return solved(ratings, cpu_threads(traits.backend == Backend::cpu ? traits.multiprocessors : 0));
}

std::vector<float> FoldIn::solved(const Csr& ratings, int threads) const {
  const RowEquations& equations = this->equations();
  std::vector<float> rows(static_cast<size_t>(ratings.rows * fixed_.cols));
  std::atomic<int64_t> failed = 0;
  FirstError error;
  const SingleThreadedBlas single;
#pragma omp parallel for schedule(dynamic) num_threads(threads) if (ratings.rows > 1)
  for (int64_t row = 0; row < ratings.rows; ++row)
    error.run([&] {
      if (const auto found = solved_row(equations, ratings, row))
        std::ranges::copy(*found, rows.data() + row * fixed_.cols);
      else
        ++failed;
    });
  error.rethrow();
  if (failed > 0) throw no_solution(failed, ratings.rows);
  return rows;
}

}  // namespace alsbench
