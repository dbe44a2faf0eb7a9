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

class RmseEvaluator {
 public:
  explicit RmseEvaluator(const DeviceProblem& problem);
  MetricValues of(const FactorMatrix& x, const FactorMatrix& theta, EvaluatedRatings judged);

 private:
  struct Sums {  // of each part
    std::array<double, kRmsePartials> squares{};
    std::array<int64_t, kRmsePartials> cold{};
    Sums& operator+=(const Sums& other);
  };
  struct Factors {
    const FactorMatrix &x, &theta;
  };
  // Enqueued; the sums stay on the device. Nothing where there are no ratings.
  void launch(Executable& executable, RatingsView ratings, Partials parts, Factors factors,
              Sums* sums) const;
  Sums streamed_sums(Factors factors);
  double rmse_of(const Sums& sums, int64_t ratings) const;  // NaN where there are none

  const DeviceProblem* problem_;
  std::unique_ptr<Executable> train_, test_;
  Buffer sums_;  // of the training ratings, then of those for test
};

// Throws NonFiniteError where the training RMSE is not finite.
void check_finite(const MetricValues& rmse, int iteration, std::string_view remedy);

}  // namespace alsbench
