// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/explain.h"

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "harness/algorithms/algorithms.h"
#include "harness/algorithms/fold_in.h"
#include "kernels/cpu/reference/reference.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {
namespace {

using Row = std::vector<double>;

// A user's equations A x = sum of w_k y_k, where y_k are the factors of item k without a column
// that is no unknown of the user's.
struct Equations {
  size_t rank = 0;
  Row matrix;   // A, rank x rank
  Row weights;  // w_k
};

void add_product(Equations& equations, const float* y, double weight) {
  for (size_t i = 0; i < equations.rank; ++i)
    for (size_t j = 0; j < equations.rank; ++j)
      equations.matrix[i * equations.rank + j] += weight * double{y[i]} * double{y[j]};
}

class Explainer {
 public:
  Explainer(const ModelObjective& objective, const NpyMatrix& factors)
      : hyper_(row_hyper(objective)),
        objective_(&objective),
        factors_(&factors),
        biases_(has_biases(hyper_)),
        implicit_(algorithm_named(objective.algorithm).feedback != kExplicitFeedback) {}

  Equations equations(std::span<const int32_t> items, std::span<const float> ratings) const {
    Equations equations;
    equations.rank = static_cast<size_t>(biases_ ? factors_->cols - 1 : factors_->cols);
    equations.matrix.resize(equations.rank * equations.rank);
    if (implicit_)
      for (int64_t item = 0; item < factors_->rows; ++item) add_product(equations, row(item), 1);
    for (size_t k = 0; k < items.size(); ++k) add_rating(equations, items[k], ratings[k]);
    const bool weighted = !implicit_ || hyper_.is("regularisation", "weighted");
    const double damping =
        objective_->lambda * (weighted ? static_cast<double>(items.size()) : 1.0);
    for (size_t i = 0; i < equations.rank; ++i)
      equations.matrix[i * (equations.rank + 1)] += damping;
    return equations;
  }

  // The part of the item's score that is every user's.
  double base(int64_t item) const { return biases_ ? objective_->mean + level(item) : 0; }
  const float* row(int64_t item) const { return factors_->values.data() + item * factors_->cols; }

 private:
  // The last column of a model with biases.
  double level(int64_t item) const { return row(item)[factors_->cols - 1]; }

  void add_rating(Equations& equations, int64_t item, float rating) const {
    if (!implicit_) {
      add_product(equations, row(item), 1);
      equations.weights.push_back(double{rating} - base(item));
      return;
    }
    const CellWeights cell = cell_weights(rating, static_cast<float>(hyper_.number("alpha")),
                                          hyper_.is("confidence", "direct"));
    add_product(equations, row(item), cell.added);
    equations.weights.push_back(cell.target);
  }

  Config hyper_;
  const ModelObjective* objective_;
  const NpyMatrix* factors_;
  bool biases_, implicit_;
};

}  // namespace

Explanation explain(const ModelObjective& objective, std::span<const int32_t> items,
                    std::span<const float> ratings, const NpyMatrix& factors, int64_t item) {
  const Explainer explainer(objective, factors);
  const Equations equations = explainer.equations(items, ratings);
  const auto product = [&](int64_t other, const Row& x) {
    return std::inner_product(x.begin(), x.end(), explainer.row(other), 0.0);
  };
  const float* target = explainer.row(item);
  Explanation result;
  result.base = explainer.base(item);
  result.score = result.base;
  if (items.empty()) return result;
  const Row solved = reference::solve(equations.matrix, {target, target + equations.rank});
  for (size_t k = 0; k < items.size(); ++k) {
    result.parts.push_back(equations.weights[k] * product(items[k], solved));
    result.score += result.parts.back();
  }
  if (!std::isfinite(result.score))
    throw UsageError("the user's equations have no solution; use a larger lambda");
  return result;
}

}  // namespace alsbench
