// SPDX-License-Identifier: Apache-2.0
// RMSE of factors over training or test ratings, on the device. In a team it is a collective that
// reads the member's own rows of X and all of Theta.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include "harness/problem/device_problem.h"
#include "harness/train/training.h"
#include "kernels/shared/params/metric.h"

namespace alsbench {

struct RmseResult {
  double rmse = 0;  // NaN when there are no ratings
  int64_t ratings = 0;
  int64_t cold = 0;  // ratings of an empty user or item, predicted by the training mean
};

class RmseEvaluator {
 public:
  explicit RmseEvaluator(const DeviceProblem& problem);
  RmseResult train(const FactorMatrix& x, const FactorMatrix& theta);
  RmseResult test(const FactorMatrix& x, const FactorMatrix& theta);
  MetricValues of(const FactorMatrix& x, const FactorMatrix& theta, EvaluatedRatings judged);

 private:
  struct Sums {  // of each part
    std::array<double, kRmsePartials> squares{};
    std::array<int64_t, kRmsePartials> cold{};
    Sums& operator+=(const Sums& other);
  };
  Sums sums_of(Executable& executable, RatingsView ratings, Partials parts, const FactorMatrix& x,
               const FactorMatrix& theta);
  RmseResult result_of(Sums& sums, int64_t ratings) const;

  const DeviceProblem* problem_;
  std::unique_ptr<Executable> train_, test_;
  Buffer sums_, cold_;
};

// Throws NonFiniteError where the training RMSE is not finite.
void check_finite(const MetricValues& rmse, int iteration, std::string_view remedy);

}  // namespace alsbench
