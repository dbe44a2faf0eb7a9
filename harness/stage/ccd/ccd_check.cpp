// SPDX-License-Identifier: Apache-2.0
// ccd_update: every residual and the value of the checked rows, in an update that is a feature's
// first and in one that is not.
// ccd_next: values and factors of the checked rows, bit by bit.
#include <fmt/format.h>

#include <limits>
#include <vector>

#include "harness/device/uploaded.h"
#include "harness/problem/device_problem.h"
#include "harness/problem/row_bins.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/reference/ccd.h"
#include "kernels/shared/params/ccd.h"

namespace alsbench {
namespace {

// Four numbers of each row from [0, 0.2).
std::vector<CcdValues> random_values(int64_t rows, uint64_t seed) {
  const std::vector<float> numbers = initial_factors(rows, 4, seed);
  std::vector<CcdValues> values(static_cast<size_t>(rows));
  for (size_t row = 0; row < values.size(); ++row) {
    const float* own = numbers.data() + 4 * row;
    values[row] = {own[0], own[1], own[2], own[3]};
  }
  return values;
}

// Residuals are the ratings themselves. A value that an update must write is NaN before it.
class CcdUpdateFixture : public StageFixture {
 public:
  explicit CcdUpdateFixture(const FixtureRequest& request)
      : StageFixture(request),
        own_start_(unwritten(problem().host_ratings(side()), request.seed)),
        others_on_host_(random_values(shape_.cols, request.seed + 1)),
        bins_(device(), problem().host_ratings(side()), request.storage.order),
        residuals_(device().allocate(int64_t{4} * shape_.nnz)),
        own_(uploaded(device(), own_start_)),
        own_copy_(uploaded(device(), own_start_)),
        others_(uploaded(device(), others_on_host_)) {
    CcdUpdateFixture::restore({});
  }
  void restore(const Variant&) override {
    device().copy(residuals_.data(), problem().ratings(side()).values, residuals_.bytes());
    device().copy(own_.data(), own_copy_.data(), own_.bytes());
  }
  void poison() override {}  // residuals are inputs, too: restore() fills all
  StageParams params(int64_t) const override { return update_params(1); }
  CcdUpdateParams update_params(int32_t first) const {
    return {problem().ratings(side()),
            residuals_.as<float>(),
            own_.as<CcdValues>(),
            others_.as<CcdValues>(),
            bins_.view(),
            problem().lambda(),
            first};
  }
  Operands operands(const Variant&, int64_t) const override {
    Operands all{{region_of("the other side's values", others_)},
                 {region_of("residuals", residuals_, Numbers::fp32),
                  region_of("values", own_, Numbers::fp32)},
                 {items_axis(others_, sizeof(CcdValues))}};
    add_ratings(problem().ratings(side()), all.inputs);
    return all;
  }
  // The same on host pointers, as restore() leaves it.
  CcdUpdateParams host_params(int32_t first) {
    device().download(others_on_host_.data(), others_.data(), others_.bytes());
    const Csr& ratings = problem().host_ratings(side());
    return {host_view(ratings),
            const_cast<float*>(ratings.values.data()),
            own_start_.data(),
            others_on_host_.data(),
            {},
            problem().lambda(),
            first};
  }

 private:
  static std::vector<CcdValues> unwritten(const Csr& ratings, uint64_t seed) {
    std::vector<CcdValues> values = random_values(ratings.rows, seed);
    for (int64_t row = 0; row < ratings.rows; ++row)
      values[row].now = ratings.offsets[row] == ratings.offsets[row + 1]
                            ? values[row].before
                            : std::numeric_limits<float>::quiet_NaN();
    return values;
  }

  std::vector<CcdValues> own_start_, others_on_host_;
  RowBins bins_;
  Buffer residuals_, own_, own_copy_, others_;
};

RowCheck check_updated_row(const CheckRequest& request, const CcdUpdateParams& params, int64_t row,
                           const reference::CcdRow& expected) {
  const auto count = static_cast<int64_t>(expected.residuals.size());
  const Csr& ratings = request.fixture.problem().host_ratings(request.fixture.side());
  const std::vector<double> residuals = download_values(request.device(), params.residuals,
                                                        ratings.offsets[row], count, Scalar::fp32);
  constexpr int64_t kWords = sizeof(CcdValues) / sizeof(float);
  const double now =
      download_values(request.device(), params.own, row * kWords, kWords, Scalar::fp32).back();
  RowCheck check;
  check.tolerance = sum_tolerance(count);
  const double of_residual = params.first != 0 ? sum_tolerance(3) / check.tolerance : 0;
  for (int64_t k = 0; k < count; ++k)
    check.element({"residual", k}, residuals[k], expected.residuals[k],
                  of_residual * expected.residual_magnitudes[k]);
  check.element({"value", row}, now, expected.now, count > 0 ? expected.magnitude : 0);
  return check;
}

Verification check_ccd_update(const CheckRequest& request) {
  auto& fixture = dynamic_cast<CcdUpdateFixture&>(request.fixture);
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  const auto rows = rows_to_check(ratings, ratings.rows, 1, request.references);
  Tally tally;
  for (const int32_t first : {0, 1}) {
    const CcdUpdateParams params = fixture.update_params(first), host = fixture.host_params(first);
    fixture.restore(request.variant);
    request.executable.launch(params);
    for (const int64_t row : rows)
      tally.add(
          fmt::format("row {} ({} ratings){}", row, ratings.offsets[row + 1] - ratings.offsets[row],
                      first != 0 ? ", first update of the feature" : ""),
          check_updated_row(request, params, row, reference::ccd_row(host, row)));
  }
  return tally.result();
}

// From the last feature to the first one, as at the end of an iteration.
class CcdNextFixture : public StageFixture {
 public:
  explicit CcdNextFixture(const FixtureRequest& request)
      : StageFixture(request),
        factors_start_(initial(side(), request.seed)),
        factors_(device(), shape_.rows, shape_.rank),
        values_start_(uploaded(device(), random_values(shape_.rows, request.seed + 1))),
        values_(device().allocate(values_start_.bytes())) {}
  void restore(const Variant&) override {
    device().copy(values_.data(), values_start_.data(), values_.bytes());
    device().copy(factors_.view().data, factors_start_.view().data, factors_.bytes());
  }
  void poison() override {}  // all of it is input, too: restore() fills it
  StageParams params(int64_t) const override {
    return CcdNextParams{factors_.view(), values_.as<CcdValues>(), shape_.rank - 1, 0};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{},
            {region_of("values", values_, Numbers::fp32),
             region_of("factors", factors_.view().data, factors_.bytes(), Numbers::fp32)},
            {rows_axis(factors_start_.view(), 0), items_axis(values_start_, sizeof(CcdValues), 1)}};
  }
  const CcdValues* start() const { return values_start_.as<CcdValues>(); }
  const FactorMatrix& factors_start() const { return factors_start_; }

 private:
  const FactorMatrix& factors_start_;
  FactorMatrix factors_;
  Buffer values_start_, values_;
};

RowCheck check_moved_row(const CheckRequest& request, const CcdNextFixture& fixture, int64_t row) {
  const auto params = fixture.params(0).as<CcdNextParams>();
  const auto read = [&](const void* source, int64_t elements) {
    return download_values(request.device(), source, row * elements, elements, Scalar::fp32);
  };
  const FactorsView view = params.factors;
  std::vector<double> factors = read(fixture.factors_start().view().data, view.pitch);
  const std::vector<double> start = read(fixture.start(), 4);
  factors[params.last] = start[3];
  const double next = factors[params.next];
  const std::vector<double> values{start[2], start[3], next, next};
  const std::vector<double> found = read(view.data, view.pitch),
                            found_values = read(params.values, 4);
  RowCheck check;
  for (size_t i = 0; i < factors.size(); ++i)
    check.element({"factor", static_cast<int64_t>(i)}, found[i], factors[i], 0);
  for (size_t i = 0; i < values.size(); ++i)
    check.element({"value", static_cast<int64_t>(i)}, found_values[i], values[i], 0);
  return check;
}

Verification check_ccd_next(const CheckRequest& request) {
  auto& fixture = dynamic_cast<CcdNextFixture&>(request.fixture);
  fixture.restore(request.variant);
  request.executable.launch(fixture.params(0));
  return check_rows(request, [&](int64_t row) { return check_moved_row(request, fixture, row); });
}

}  // namespace

StageSupport ccd_update_support() {
  return {"ccd_update", make<CcdUpdateFixture>, check_ccd_update};
}
StageSupport ccd_next_support() { return {"ccd_next", make<CcdNextFixture>, check_ccd_next}; }

}  // namespace alsbench
