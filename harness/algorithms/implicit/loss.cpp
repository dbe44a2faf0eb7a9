// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/implicit/loss.h"

#include <array>
#include <limits>
#include <numeric>

#include "variants/catalog.h"
#include "variants/implicit/implicit.h"

namespace alsbench {
namespace {

bool is_empty(const Csr& ratings, int64_t row) {
  return ratings.offsets[row] == ratings.offsets[row + 1];
}

int64_t cold_ratings(const RatingSet& set) {
  int64_t cold = 0;
  for (int64_t row = 0; row < set.test.rows; ++row)
    for (int64_t k = set.test.offsets[row]; k < set.test.offsets[row + 1]; ++k)
      cold += is_empty(set.by_user, row) || is_empty(set.by_item, set.test.indices[k]) ? 1 : 0;
  return cold;
}

double trace(const std::vector<double>& matrix, int64_t rank) {
  double sum = 0;
  for (int64_t i = 0; i < rank; ++i) sum += matrix[i * (rank + 1)];
  return sum;
}

}  // namespace

ImplicitLoss::ImplicitLoss(const DeviceProblem& problem, float alpha, bool direct,
                           RowWeight regularisation)
    : problem_(&problem),
      alpha_(alpha),
      direct_(direct),
      weight_(regularisation),
      cold_(problem.set().test.nnz() > 0 ? cold_ratings(problem.set()) : 0),
      gram_matrices_(problem) {
  Device& device = problem.device();
  const Variant& variant = variant_named(&stages::implicit_loss, "rows", device.traits().backend);
  const Config config = variant.space.default_config();
  train_ = device.prepare(variant, config, problem.shape(Side::x));
  test_ = device.prepare(variant, config, problem.test_shape());
  sums_ = device.allocate(sizeof(PartialSums));
}

MetricValues ImplicitLoss::evaluate(const FactorMatrix& x, const FactorMatrix& theta) {
  const int64_t rank = problem_->rank();
  for (const Side side : {Side::x, Side::theta})
    gram_matrices_.form(side, side == Side::x ? x : theta, RowWeight::one);
  const std::vector<double> of_x = gram_matrices_.download(Side::x),
                            of_theta = gram_matrices_.download(Side::theta);
  const double squares = std::inner_product(of_x.begin(), of_x.end(), of_theta.begin(), 0.0);
  const double norms = weight_ == RowWeight::one ? trace(of_x, rank) + trace(of_theta, rank)
                                                 : regularisation(x, theta);
  const RatingsView ratings = problem_->ratings(Side::x);
  const double cells = static_cast<double>(ratings.rows) * static_cast<double>(ratings.cols);
  const Sums trained = sums(*train_, ratings, x, theta);
  MetricValues values;
  values.train =
      (squares + trained.loss + double{problem_->lambda()} * norms) / (cells + trained.confidence);
  values.test = std::numeric_limits<double>::quiet_NaN();
  if (problem_->test().nnz == 0) return values;
  const Sums tested = sums(*test_, problem_->test(), x, theta);
  values.test = (squares - trained.square + tested.loss) /
                (cells - static_cast<double>(ratings.nnz) + tested.confidence);
  values.cold_test_ratings = cold_;
  return values;
}

double ImplicitLoss::regularisation(const FactorMatrix& x, const FactorMatrix& theta) {
  double sum = 0;
  for (const Side side : {Side::x, Side::theta}) {
    gram_matrices_.form(side, side == Side::x ? x : theta, RowWeight::ratings);
    sum += trace(gram_matrices_.download(side), problem_->rank());
  }
  return sum;
}

ImplicitLoss::Sums ImplicitLoss::sums(Executable& executable, const RatingsView& ratings,
                                      const FactorMatrix& x, const FactorMatrix& theta) {
  PartialSums* const on_device = sums_.as<PartialSums>();
  executable.launch(ImplicitLossParams{
      ratings, x.view(), theta.view(), alpha_, on_device->loss.data(), on_device->square.data(),
      on_device->confidence.data(), problem_->partials(), direct_ ? 1 : 0});
  PartialSums partials;
  problem_->device().download(&partials, on_device, sizeof(PartialSums));
  const auto sum_of = [&](std::array<double, kLossPartials>& values) {
    problem_->member().sum(values);
    return std::accumulate(values.begin(), values.end(), 0.0);
  };
  return {sum_of(partials.loss), sum_of(partials.square), sum_of(partials.confidence)};
}

}  // namespace alsbench
