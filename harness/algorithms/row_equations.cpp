// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/row_equations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "kernels/cpu/blas.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {
namespace {

// How a training begins is of no matter.
constexpr const char* kRowHyper[] = {"alpha", "regularisation", "confidence", "biases"};
// A pivot that has lost so much of its diagonal element is a zero with rounding errors.
constexpr double kSmallestPivot = 1e-13;

// Adds the sum of weights[k] y_k y_k^T to the lower triangle; `factors` has the y_k one after
// another. Weights below zero are taken away by a product of their own.
void add_products(std::vector<double>& matrix, const std::vector<double>& factors,
                  const std::vector<double>& weights, int size) {
  std::vector<double> scaled(factors.size());
  for (const double sign : {1.0, -1.0}) {
    auto end = scaled.begin();
    auto y = factors.begin();
    for (const double weight : weights) {
      if (sign * weight > 0)
        end = std::transform(y, y + size, end, [root = std::sqrt(sign * weight)](double factor) {
          return root * factor;
        });
      y += size;
    }
    const auto count = static_cast<int>((end - scaled.begin()) / size);
    if (count > 0)
      blas().cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, size, count, sign, scaled.data(),
                         size, 1.0, matrix.data(), size);
  }
}

// Replaces the lower triangle by its Cholesky factor. Column by column for LAPACK, whose upper
// triangle it is.
bool factor(std::vector<double>& matrix, int size) {
  std::vector<double> diagonal(static_cast<size_t>(size));
  const auto at = [&](int i) { return static_cast<size_t>(i) * static_cast<size_t>(size + 1); };
  for (int i = 0; i < size; ++i) diagonal[static_cast<size_t>(i)] = matrix[at(i)];
  int info = 0;
  blas().dpotrf_("U", &size, matrix.data(), &size, &info);
  for (int i = 0; info == 0 && i < size; ++i)
    if (!(matrix[at(i)] * matrix[at(i)] > kSmallestPivot * diagonal[static_cast<size_t>(i)]))
      return false;
  return info == 0;
}

// Solves in place with the factor of the matrix.
void solve_factored(const std::vector<double>& matrix, std::vector<double>& b) {
  const int size = static_cast<int>(b.size()), one = 1;
  int info = 0;
  blas().dpotrs_("U", &size, &one, matrix.data(), &size, b.data(), &size, &info);
}

}  // namespace

Config row_hyper(const ModelObjective& objective) {
  const Algorithm& algorithm = algorithm_of_feedback(algorithm_named(objective.algorithm).feedback);
  Config hyper = begin_recipe(algorithm).hyper;
  for (const char* name : kRowHyper)
    if (hyper.has(name) && objective.hyper.has(name)) hyper.set(name, objective.hyper.get(name));
  return hyper;
}

RowEquations::RowEquations(const ModelObjective& objective, Side side, const NpyMatrix& fixed)
    : hyper_(row_hyper(objective)),
      lambda_(objective.lambda),
      mean_(objective.mean),
      side_(side),
      fixed_(fixed),
      biases_(has_biases(hyper_)),
      implicit_(algorithm_named(objective.algorithm).feedback != kExplicitFeedback),
      weighted_(!implicit_ || hyper_.is("regularisation", "weighted")),
      unknowns_(static_cast<int>(biases_ ? fixed.cols - 1 : fixed.cols)) {
  if (!implicit_) return;
  alpha_ = hyper_.number("alpha");
  direct_ = hyper_.is("confidence", "direct");
  sum_gram();
}

// A block of rows as doubles at a time.
void RowEquations::sum_gram() {
  constexpr int64_t kRows = 4096;
  const auto size = static_cast<size_t>(unknowns_);
  gram_.resize(size * size);
  Row block;
  const SingleThreadedBlas single;
  for (int64_t first = 0; first < fixed_.rows; first += kRows) {
    const int64_t rows = std::min(kRows, fixed_.rows - first);
    block.assign(row(first), row(first) + rows * fixed_.cols);
    blas().cblas_dsyrk(CblasRowMajor, CblasLower, CblasTrans, unknowns_, static_cast<int>(rows),
                       1.0, block.data(), unknowns_, 1.0, gram_.data(), unknowns_);
  }
}

// The last two columns of users are (level, 1), and those of items (1, level).
void RowEquations::append_factors(int64_t row, Row& target) const {
  const float* const factors = this->row(row);
  target.insert(target.end(), factors, factors + unknowns_);
  if (biases_) target.back() = 1;
}

double RowEquations::explained(int64_t row) const {
  if (!biases_) return 0;
  return side_ == Side::x ? mean_ + double{this->row(row)[unknowns_]}
                          : double{this->row(row)[unknowns_ - 1]};
}

std::optional<RowEquations::Equations> RowEquations::factored(const RowRatings& ratings) const {
  const auto size = static_cast<size_t>(unknowns_);
  Equations equations;
  equations.matrix = implicit_ ? gram_ : Row(size * size);
  Row added(ratings.columns.size(), 1.0);
  equations.factors.reserve(added.size() * size);
  for (size_t k = 0; k < added.size(); ++k) {
    append_factors(ratings.columns[k], equations.factors);
    double target = double{ratings.values[k]} - explained(ratings.columns[k]);
    if (implicit_) {
      if (!direct_ && !(ratings.values[k] >= 0))
        throw UsageError(fmt::format("the rating of column {} is {}; {}", ratings.columns[k],
                                     ratings.values[k], kCountsFrom0));
      const CellWeights cell = cell_weights(ratings.values[k], static_cast<float>(alpha_), direct_);
      added[k] = cell.added;
      target = cell.target;
    }
    equations.weights.push_back(target);
  }
  add_products(equations.matrix, equations.factors, added, unknowns_);
  const double count = weighted_ ? static_cast<double>(ratings.columns.size()) : 1.0;
  for (size_t i = 0; i < size; ++i) equations.matrix[i * (size + 1)] += lambda_ * count;
  if (!factor(equations.matrix, unknowns_)) return std::nullopt;
  return equations;
}

std::optional<std::vector<float>> RowEquations::solve(const RowRatings& ratings) const {
  if (ratings.columns.empty()) return std::vector<float>(static_cast<size_t>(fixed_.cols));
  const auto equations = factored(ratings);
  if (!equations) return std::nullopt;
  const auto size = static_cast<size_t>(unknowns_);
  Row x(size);
  for (size_t k = 0; k < equations->weights.size(); ++k)
    for (size_t i = 0; i < size; ++i)
      x[i] += equations->weights[k] * equations->factors[k * size + i];
  solve_factored(equations->matrix, x);
  std::vector<float> solved(x.begin(), x.end());
  if (biases_ && side_ == Side::x) {
    solved.back() = static_cast<float>(x.back() + mean_);
    solved.push_back(1);
  } else if (biases_) {
    solved.insert(solved.end() - 1, 1);
  }
  return solved;
}

Explanation RowEquations::explain(const RowRatings& ratings, int64_t item) const {
  Explanation result;
  result.base = result.score = explained(item);
  if (ratings.columns.empty()) return result;
  const SingleThreadedBlas single;
  const auto equations = factored(ratings);
  if (!equations) throw UsageError("the user's equations have no solution; use a larger lambda");
  const auto size = static_cast<size_t>(unknowns_);
  Row solved;
  append_factors(item, solved);
  solve_factored(equations->matrix, solved);
  for (size_t k = 0; k < equations->weights.size(); ++k) {
    const double* const y = equations->factors.data() + k * size;
    const double product = std::inner_product(y, y + size, solved.begin(), 0.0);
    result.parts.push_back(equations->weights[k] * product);
    result.score += result.parts.back();
  }
  return result;
}

}  // namespace alsbench
