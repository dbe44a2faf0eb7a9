// SPDX-License-Identifier: Apache-2.0
// ImplicitLoss: the loss of implicit ALS over all cells. It is made of Gram matrices and a sum over
// the ratings (docs/explanation/implicit.md, "The loss without a dense matrix").
#pragma once

#include <array>
#include <memory>

#include "harness/algorithms/implicit/gram_matrices.h"
#include "harness/train/training.h"
#include "kernels/shared/params/implicit.h"

namespace alsbench {

class ImplicitLoss {
 public:
  // `alpha` and `direct`: what confidences are made of (cell_weights).
  // `regularisation`: what n_u in lambda n_u |x_u|^2 is.
  ImplicitLoss(const DeviceProblem& problem, float alpha, bool direct, RowWeight regularisation);

  // Of a team, a collective that reads all rows. Both are a unit of confidence's. The first is the
  // objective of training. The second has no regularisation and is over the cells that are not
  // trained on. Cells of test ratings have p = 1 and their confidence.
  MetricValues evaluate(const FactorMatrix& x, const FactorMatrix& theta);

 private:
  struct PartialSums {  // of each part
    std::array<double, kLossPartials> loss, square, confidence;
  };
  struct Sums {
    double loss = 0, square = 0, confidence = 0;
  };
  // Of ratings that `executable` was prepared for.
  Sums sums(Executable& executable, const RatingsView& ratings, const FactorMatrix& x,
            const FactorMatrix& theta);
  double regularisation(const FactorMatrix& x, const FactorMatrix& theta);

  const DeviceProblem* problem_;
  float alpha_;
  bool direct_;
  RowWeight weight_;
  int64_t cold_;  // test ratings of an empty user or item
  GramMatrices gram_matrices_;
  std::unique_ptr<Executable> train_, test_;
  Buffer sums_;
};

}  // namespace alsbench
