// SPDX-License-Identifier: Apache-2.0
// ccd_next: values and factors of the checked rows, bit by bit.
#include <fmt/format.h>

#include "harness/stage/ccd/values.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"

namespace alsbench {
namespace {

// From the last feature to the first one, as at the end of an iteration.
class CcdNextFixture : public StageFixture {
 public:
  explicit CcdNextFixture(const FixtureRequest& request)
      : StageFixture(request),
        factors_start_(initial(side(), request.seed)),
        factors_(device(), shape_.rows, shape_.rank),
        values_start_(on_device(device(), random_values(shape_.rows, request.seed + 1))),
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
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  fixture.restore(request.variant);
  request.executable.launch(fixture.params(0));
  Tally tally;
  for (const int64_t row :
       rows_to_check(ratings, ratings.rows, fixture.problem().rank(), request.references))
    tally.add(fmt::format("row {}", row), check_moved_row(request, fixture, row));
  return tally.result();
}

}  // namespace

StageSupport ccd_next_support() { return {"ccd_next", make<CcdNextFixture>, check_ccd_next}; }

}  // namespace alsbench
