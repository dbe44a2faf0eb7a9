// SPDX-License-Identifier: Apache-2.0
// rmse: the whole sum, and the exact number of cold cells.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/reference/reference.h"
#include "kernels/shared/params/metric.h"

namespace alsbench {
namespace {

// A factor matrix on the host.
class HostFactors {
 public:
  HostFactors(Device& device, const FactorsView& factors)
      : values_(static_cast<size_t>(factors.rows * factors.pitch)), view_(factors) {
    device.download(values_.data(), factors.data, static_cast<int64_t>(values_.size()) * 4);
    view_.data = values_.data();
  }
  const FactorsView& view() const { return view_; }

 private:
  std::vector<float> values_;
  FactorsView view_;
};

reference::SquaredErrors reference_errors(const RmseParams& params) {
  constexpr int64_t kRowsPerTask = 64;
  const int64_t rows = params.ratings.rows;
  double sum = 0, magnitude = 0;
  int64_t cold = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : sum, magnitude, cold)  // cannot throw
  for (int64_t first = 0; first < rows; first += kRowsPerTask) {
    const auto part =
        reference::squared_errors(params, first, std::min(rows, first + kRowsPerTask));
    sum += part.sum;
    magnitude += part.magnitude;
    cold += part.cold;
  }
  return {sum, cold, magnitude};
}

class RmseFixture : public StageFixture {
 public:
  explicit RmseFixture(const FixtureRequest& request)
      : StageFixture(request),
        fixed_(initial(other(side()), request.seed)),
        other_(initial(side(), request.seed + 1)),
        partial_sums_(device().allocate(kRmsePartials * 8)),
        partial_cold_(device().allocate(kRmsePartials * 8)) {}

  void poison() override {
    fill_with_nan(partial_sums_);
    fill_with_nan(partial_cold_);
  }

  StageParams params(int64_t) const override {
    RmseParams params;
    params.ratings = problem().ratings(Side::x);
    params.x = (side() == Side::x ? other_ : fixed_).view();
    params.theta = (side() == Side::x ? fixed_ : other_).view();
    params.train_row_offsets = problem().ratings(Side::x).offsets;
    params.train_col_offsets = problem().ratings(Side::theta).offsets;
    params.mean = static_cast<float>(problem().set().mean);
    params.partial_sums = partial_sums_.as<double>();
    params.partial_cold = partial_cold_.as<int64_t>();
    return params;
  }
  Operands operands(const Variant&, int64_t) const override {
    Operands all{
        {rows_of("factors", fixed_.view()), rows_of("the other factors", other_.view())},
        {region_of("sums", partial_sums_, Numbers::fp64), region_of("cold cells", partial_cold_)},
        {rows_axis(fixed_.view(), 0), rows_axis(other_.view(), 1)}};
    add_ratings(problem().ratings(Side::x), all.inputs);
    return all;
  }

 private:
  const FactorMatrix &fixed_, &other_;
  Buffer partial_sums_, partial_cold_;
};

// The error is relative to the whole sum.
Verification check_rmse(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const DeviceProblem& problem = fixture.problem();
  Device& device = problem.device();
  auto params = fixture.params(0).as<RmseParams>();
  fixture.poison();
  request.executable.launch(params);
  std::vector<double> sums(kRmsePartials);
  std::vector<int64_t> cold(kRmsePartials);
  device.download(sums.data(), params.partial_sums, kRmsePartials * int64_t{8});
  device.download(cold.data(), params.partial_cold, kRmsePartials * int64_t{8});
  const double sum = std::accumulate(sums.begin(), sums.end(), 0.0);
  const int64_t cold_sum = std::accumulate(cold.begin(), cold.end(), int64_t{0});

  const HostFactors x(device, params.x), theta(device, params.theta);
  params.ratings =
      host_view(params.ratings.offsets == problem.test().offsets ? problem.set().test
                                                                 : problem.host_ratings(Side::x));
  params.x = x.view();
  params.theta = theta.view();
  params.train_row_offsets = problem.host_ratings(Side::x).offsets.data();
  params.train_col_offsets = problem.host_ratings(Side::theta).offsets.data();
  const reference::SquaredErrors expected = reference_errors(params);

  // d(e^2) = 2 e de, where de is the rounding of a dot product; then the sum's own rounding, for
  // kernels that keep partial sums in float
  RowCheck row;
  row.tolerance = sum_tolerance(problem.rank()) + sum_tolerance(params.ratings.nnz / kRmsePartials);
  row.element({"sum", 0}, sum, expected.sum, expected.sum + 2 * expected.magnitude);
  if (!row.wrong() && cold_sum != expected.cold) {
    row.error = std::numeric_limits<double>::infinity();
    row.detail = fmt::format("{} cold cells instead of {}", cold_sum, expected.cold);
  }
  Tally tally;
  tally.add("the sum of squared errors", row);
  return tally.result();
}

}  // namespace

StageSupport rmse_support() { return {"rmse", make<RmseFixture>, check_rmse}; }

}  // namespace alsbench
