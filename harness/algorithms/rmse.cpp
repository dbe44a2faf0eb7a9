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
  sums_ = device.allocate(2 * sizeof(Sums));
  device.fill(sums_.data(), 0, sums_.bytes());
}

RmseEvaluator::Sums& RmseEvaluator::Sums::operator+=(const Sums& other) {
  for (size_t part = 0; part < squares.size(); ++part) {
    squares[part] += other.squares[part];
    cold[part] += other.cold[part];
  }
  return *this;
}

void RmseEvaluator::launch(Executable& executable, RatingsView ratings, Partials parts,
                           Factors factors, Sums* sums) const {
  if (ratings.nnz == 0) return;
  RmseParams params;
  params.ratings = ratings;
  params.x = factors.x.view();
  params.theta = factors.theta.view();
  params.train_row_offsets = problem_->ratings(Side::x).offsets;
  params.train_col_offsets = problem_->ratings(Side::theta).offsets;
  params.mean = static_cast<float>(problem_->set().mean);
  params.partials = parts;
  params.partial_sums = sums->squares.data();
  params.partial_cold = sums->cold.data();
  executable.launch(params);
}

// Block by block, each of which has parts of its own.
RmseEvaluator::Sums RmseEvaluator::streamed_sums(Factors factors) {
  Sums all;
  StreamedRatings& streamed = *problem_->streamed();
  const int64_t step = Partials::rows_of_each(problem_->ratings(Side::x).rows);
  for (size_t i = 0; i < streamed.blocks(Side::x).size(); ++i) {
    const RowRange rows = streamed.blocks(Side::x)[i];
    const Partials parts{static_cast<int32_t>(rows.first / step),
                         static_cast<int32_t>((rows.end() + step - 1) / step)};
    const RatingsView block = streamed.bring(Side::x, i);
    launch(*train_, block, parts, factors, sums_.as<Sums>());
    if (Sums of_block; block.nnz > 0) {
      problem_->device().download(&of_block, sums_.data(), sizeof(Sums));
      all += of_block;
    }
    streamed.next(Side::x, i);
  }
  return all;
}

double RmseEvaluator::rmse_of(const Sums& sums, int64_t ratings) const {
  if (ratings == 0) return std::numeric_limits<double>::quiet_NaN();
  const double sum = std::accumulate(sums.squares.begin(), sums.squares.end(), 0.0);
  return std::sqrt(sum / static_cast<double>(ratings));
}

MetricValues RmseEvaluator::of(const FactorMatrix& x, const FactorMatrix& theta,
                               EvaluatedRatings judged) {
  const Factors factors{x, theta};
  MetricValues values;
  values.of_training = judged == EvaluatedRatings::all || problem_->test().nnz == 0;
  const bool streamed = problem_->streamed() != nullptr;
  std::array<Sums, 2> sums;
  auto& [of_training, of_test] = sums;
  Sums* const on_device = sums_.as<Sums>();
  if (values.of_training && streamed)
    of_training = streamed_sums(factors);
  else if (values.of_training)
    launch(*train_, problem_->ratings(Side::x), problem_->partials(), factors, on_device);
  launch(*test_, problem_->test(), problem_->partials(), factors, on_device + 1);
  const int first = values.of_training && !streamed ? 0 : 1;  // both by one transfer
  problem_->device().download(&sums[first], on_device + first,
                              (2 - first) * static_cast<int64_t>(sizeof(Sums)));
  // A partial is zero but at one member and in one launch: the bits of the sum are one device's.
  for (int i = values.of_training ? 0 : 1; i < 2; ++i) {
    problem_->member().sum(sums[i].squares);
    problem_->member().sum(sums[i].cold);
  }
  values.train = values.of_training ? rmse_of(of_training, problem_->host_ratings(Side::x).nnz())
                                    : std::numeric_limits<double>::quiet_NaN();
  values.test = rmse_of(of_test, problem_->test().nnz);
  values.cold_test_ratings = std::accumulate(of_test.cold.begin(), of_test.cold.end(), int64_t{0});
  return values;
}

void check_finite(const MetricValues& rmse, int iteration, std::string_view remedy) {
  if (!std::isfinite(rmse.judged()))
    throw NonFiniteError(fmt::format("{} RMSE of iteration {} is not finite; {}",
                                     rmse.of_training ? "training" : "test", iteration, remedy));
}

}  // namespace alsbench
