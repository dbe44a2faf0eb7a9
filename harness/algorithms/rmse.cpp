// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/rmse.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"
#include "variants/catalog.h"
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
  Sums sums;
  StreamedRatings* const streamed = problem_->streamed();
  if (streamed == nullptr)
    sums = sums_of(*train_, problem_->ratings(Side::x), problem_->partials(), x, theta);
  const int64_t step = Partials::rows_of_each(problem_->ratings(Side::x).rows);
  for (size_t i = 0; streamed != nullptr && i < streamed->blocks(Side::x).size(); ++i) {
    const RowRange rows = streamed->blocks(Side::x)[i];
    const Partials parts{static_cast<int32_t>(rows.first / step),
                         static_cast<int32_t>((rows.end() + step - 1) / step)};
    sums += sums_of(*train_, streamed->bring(Side::x, i), parts, x, theta);
    streamed->next(Side::x, i);
  }
  return result_of(sums, problem_->host_ratings(Side::x).nnz());
}

RmseResult RmseEvaluator::test(const FactorMatrix& x, const FactorMatrix& theta) {
  Sums sums = sums_of(*test_, problem_->test(), problem_->partials(), x, theta);
  return result_of(sums, problem_->test().nnz);
}

RmseEvaluator::Sums& RmseEvaluator::Sums::operator+=(const Sums& other) {
  for (size_t part = 0; part < squares.size(); ++part) {
    squares[part] += other.squares[part];
    cold[part] += other.cold[part];
  }
  return *this;
}

RmseEvaluator::Sums RmseEvaluator::sums_of(Executable& executable, RatingsView ratings,
                                           Partials parts, const FactorMatrix& x,
                                           const FactorMatrix& theta) {
  Sums found;
  if (ratings.nnz == 0) return found;
  RmseParams params;
  params.ratings = ratings;
  params.x = x.view();
  params.theta = theta.view();
  params.train_row_offsets = problem_->ratings(Side::x).offsets;
  params.train_col_offsets = problem_->ratings(Side::theta).offsets;
  params.mean = static_cast<float>(problem_->set().mean);
  params.partials = parts;
  params.partial_sums = sums_.as<double>();
  params.partial_cold = cold_.as<int64_t>();
  executable.launch(params);
  problem_->device().download(found.squares.data(), sums_.data(), sums_.bytes());
  problem_->device().download(found.cold.data(), cold_.data(), cold_.bytes());
  return found;
}

// A partial is zero but at one member and in one launch: the bits of the sum are one device's.
RmseResult RmseEvaluator::result_of(Sums& sums, int64_t ratings) const {
  RmseResult result{std::numeric_limits<double>::quiet_NaN(), ratings, 0};
  if (ratings == 0) return result;
  problem_->member().sum(sums.squares);
  problem_->member().sum(sums.cold);
  const double sum = std::accumulate(sums.squares.begin(), sums.squares.end(), 0.0);
  result.rmse = std::sqrt(sum / static_cast<double>(ratings));
  result.cold = std::accumulate(sums.cold.begin(), sums.cold.end(), int64_t{0});
  return result;
}

MetricValues RmseEvaluator::of(const FactorMatrix& x, const FactorMatrix& theta,
                               EvaluatedRatings judged) {
  MetricValues values;
  values.of_training = judged == EvaluatedRatings::all || problem_->test().nnz == 0;
  values.train =
      values.of_training ? train(x, theta).rmse : std::numeric_limits<double>::quiet_NaN();
  const RmseResult on_test = test(x, theta);
  values.test = on_test.rmse;
  values.cold_test_ratings = on_test.cold;
  return values;
}

void check_finite(const MetricValues& rmse, int iteration, std::string_view remedy) {
  if (!std::isfinite(rmse.judged()))
    throw NonFiniteError(fmt::format("{} RMSE of iteration {} is not finite; {}",
                                     rmse.of_training ? "training" : "test", iteration, remedy));
}

}  // namespace alsbench
