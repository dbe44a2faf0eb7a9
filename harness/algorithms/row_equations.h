// SPDX-License-Identifier: Apache-2.0
// RowEquations: the equations of one user or item, from its ratings and the factors of the other
// side, in double: the row that solves them, and why it gives an item its score
// (docs/reference/models.md; section 5 of Hu, Koren and Volinsky, ICDM 2008).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "harness/data/side.h"
#include "harness/model/model.h"

namespace alsbench {

// The hyper-parameters that a row's equations have. Models of other algorithms for explicit
// feedback are taken for those of ALS, whose objective is theirs.
Config row_hyper(const ModelObjective& objective);

// Ratings of a row: `columns` are rows of the fixed side.
struct RowRatings {
  std::span<const int32_t> columns;
  std::span<const float> values;
};

struct Explanation {
  double score = 0;  // of the user's row solved exactly from these ratings: base and parts
  double base = 0;   // what no rating adds to: the mean and the item's level of a model with biases
  std::vector<double> parts;  // of each rating
};

class RowEquations {
 public:
  // `side`: that of the rows; `fixed`: the factors of the other one. Of implicit feedback it sums
  // the Gram matrix of `fixed`.
  RowEquations(const ModelObjective& objective, Side side, const NpyMatrix& fixed);

  // The row, as many numbers as `fixed` has columns; zeros without ratings. Nothing where the
  // equations have no solution.
  std::optional<std::vector<float>> solve(const RowRatings& ratings) const;
  // Of a user's row; `item` is a row of `fixed`. Throws UsageError where the equations have no
  // solution.
  Explanation explain(const RowRatings& ratings, int64_t item) const;

 private:
  using Row = std::vector<double>;
  // A x = sum of w_k y_k over the ratings, where y_k are the factors of column k without the one
  // that is no unknown of the row.
  struct Equations {
    Row matrix;   // unknowns x unknowns; A's lower triangle, then its Cholesky factor
    Row factors;  // y_k: ratings x unknowns
    Row weights;  // w_k
  };
  std::optional<Equations> factored(const RowRatings& ratings) const;
  void append_factors(int64_t row, Row& target) const;
  double explained(int64_t row) const;  // of a rating, by what is no unknown
  const float* row(int64_t row) const { return fixed_.values.data() + row * fixed_.cols; }
  void sum_gram();

  Config hyper_;
  double lambda_, mean_, alpha_ = 0;
  Side side_;
  NpyMatrix fixed_;
  bool biases_, implicit_, weighted_, direct_ = false;
  int unknowns_;
  Row gram_;  // lower triangle
};

}  // namespace alsbench
