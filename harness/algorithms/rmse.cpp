// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/rmse.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "kernels/shared/params/metric.h"
#include "variants/catalog.h"
#include "variants/core/error.h"
#include "variants/metric/stages.h"

namespace alsbench {

RmseEvaluator::RmseEvaluator(const DeviceProblem& problem) : problem_(&problem) {
  Device& device = problem.device();
  const Variant& variant = variant_named(&stages::rmse, "rows", device.traits().backend);
  const Config config = variant.space.default_config();
  train_ = device.prepare(variant, config, problem.shape(Side::x));
  test_ = device.prepare(variant, config, problem.test_shape());
  sums_ = device.allocate(kRmsePartials * sizeof(double));
  cold_ = device.allocate(kRmsePartials * sizeof(int64_t));
}

RmseResult RmseEvaluator::train(const FactorMatrix& x, const FactorMatrix& theta) {
  return evaluate(*train_, problem_->ratings(Side::x), x, theta);
}

RmseResult RmseEvaluator::test(const FactorMatrix& x, const FactorMatrix& theta) {
  return evaluate(*test_, problem_->test(), x, theta);
}

RmseResult RmseEvaluator::evaluate(Executable& executable, RatingsView ratings,
                                   const FactorMatrix& x, const FactorMatrix& theta) {
  RmseResult result{std::numeric_limits<double>::quiet_NaN(), ratings.nnz, 0};
  if (ratings.nnz == 0) return result;
  RmseParams params;
  params.ratings = ratings;
  params.x = x.view();
  params.theta = theta.view();
  params.train_row_offsets = problem_->ratings(Side::x).offsets;
  params.train_col_offsets = problem_->ratings(Side::theta).offsets;
  params.mean = static_cast<float>(problem_->set().mean);
  params.partials = problem_->partials();
  params.partial_sums = sums_.as<double>();
  params.partial_cold = cold_.as<int64_t>();
  executable.launch(params);
  std::array<double, kRmsePartials> sums{};
  std::array<int64_t, kRmsePartials> cold{};
  problem_->device().download(sums.data(), sums_.data(), sums_.bytes());
  problem_->device().download(cold.data(), cold_.data(), cold_.bytes());
  // a partial is zero but at one member: the bits of the sum are one device's
  problem_->member().sum(sums);
  problem_->member().sum(cold);
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  result.rmse = std::sqrt(sum / static_cast<double>(ratings.nnz));
  result.cold = std::accumulate(cold.begin(), cold.end(), int64_t{0});
  return result;
}

MetricValues RmseEvaluator::both(const FactorMatrix& x, const FactorMatrix& theta) {
  const double on_training = train(x, theta).rmse;
  const RmseResult on_test = test(x, theta);
  return {on_training, on_test.rmse, on_test.cold};
}

void check_finite(const MetricValues& rmse, int iteration, std::string_view remedy) {
  if (!std::isfinite(rmse.train))
    throw NonFiniteError(
        fmt::format("training RMSE of iteration {} is not finite; {}", iteration, remedy));
}

}  // namespace alsbench
