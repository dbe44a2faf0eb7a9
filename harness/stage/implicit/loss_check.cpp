// SPDX-License-Identifier: Apache-2.0
// implicit_loss: the three sums as wholes.
#include <algorithm>
#include <numeric>

#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/reference/implicit.h"

namespace alsbench {
namespace {

constexpr float kLossAlpha = 4;
constexpr int64_t kPartialsBytes = kLossPartials * int64_t{sizeof(double)};

class ImplicitLossFixture : public StageFixture {
 public:
  explicit ImplicitLossFixture(const FixtureRequest& request)
      : StageFixture(request),
        x_(initial(Side::x, request.seed + 1)),
        theta_(initial(Side::theta, request.seed)),
        losses_(device().allocate(kPartialsBytes)),
        squares_(device().allocate(kPartialsBytes)),
        confidence_(device().allocate(kPartialsBytes)) {}
  void poison() override {
    for (const Buffer* buffer : {&losses_, &squares_, &confidence_}) fill_with_nan(*buffer);
  }
  StageParams params(int64_t) const override {
    return ImplicitLossParams{problem().ratings(Side::x),
                              x_.view(),
                              theta_.view(),
                              kLossAlpha,
                              losses_.as<double>(),
                              squares_.as<double>(),
                              confidence_.as<double>()};
  }
  Operands operands(const Variant&, int64_t) const override {
    Operands all{
        {rows_of("X", x_.view()), rows_of("Theta", theta_.view())},
        {region_of("losses", losses_, Numbers::fp64), region_of("squares", squares_, Numbers::fp64),
         region_of("confidence", confidence_, Numbers::fp64)},
        {rows_axis(x_.view(), 0), rows_axis(theta_.view(), 1)}};
    add_ratings(problem().ratings(Side::x), all.inputs);
    return all;
  }

 private:
  const FactorMatrix &x_, &theta_;
  Buffer losses_, squares_, confidence_;
};

// A factor matrix on the host, with its padding.
std::vector<float> host_copy(Device& device, const FactorsView& factors) {
  std::vector<float> values(static_cast<size_t>(factors.rows * factors.pitch));
  device.download(values.data(), factors.data, static_cast<int64_t>(values.size()) * 4);
  return values;
}

reference::ImplicitLoss expected_loss(const CheckRequest& request, ImplicitLossParams params) {
  std::vector<float> x = host_copy(request.device(), params.x);
  std::vector<float> theta = host_copy(request.device(), params.theta);
  params.ratings = host_view(request.fixture.problem().host_ratings(Side::x));
  params.x.data = x.data();
  params.theta.data = theta.data();
  constexpr int64_t kRowsPerTask = 64;
  const int64_t rows = params.ratings.rows;
  double loss = 0, square = 0, confidence = 0, loss_magnitude = 0, square_magnitude = 0;
#pragma omp parallel for schedule(dynamic) \
    reduction(+ : loss, square, confidence, loss_magnitude, square_magnitude)  // cannot throw
  for (int64_t first = 0; first < rows; first += kRowsPerTask) {
    const auto part = reference::implicit_loss(params, first, std::min(rows, first + kRowsPerTask));
    loss += part.loss;
    square += part.square;
    confidence += part.confidence;
    loss_magnitude += part.loss_magnitude;
    square_magnitude += part.square_magnitude;
  }
  return {loss, square, confidence, loss_magnitude, square_magnitude};
}

double sum_of(Device& device, const double* partials) {
  std::vector<double> values(kLossPartials);
  device.download(values.data(), partials, kPartialsBytes);
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Verification check_loss(const CheckRequest& request) {
  request.fixture.poison();
  const auto params = request.fixture.params(0).as<ImplicitLossParams>();
  request.executable.launch(params);
  const reference::ImplicitLoss expected = expected_loss(request, params);
  // the rounding of a dot product, then that of sums, for kernels that keep partial sums in float
  RowCheck row;
  row.tolerance = sum_tolerance(params.x.rank) + sum_tolerance(params.ratings.nnz / kLossPartials);
  Device& device = request.device();
  row.element({"loss", 0}, sum_of(device, params.losses), expected.loss, expected.loss_magnitude);
  row.element({"squares", 0}, sum_of(device, params.squares), expected.square,
              expected.square_magnitude);
  row.element({"confidence", 0}, sum_of(device, params.confidence), expected.confidence,
              expected.confidence);
  Tally tally;
  tally.add("the sums over the ratings", row);
  return tally.result();
}

}  // namespace

StageSupport implicit_loss_support() {
  return {"implicit_loss", make<ImplicitLossFixture>, check_loss};
}

}  // namespace alsbench
