// SPDX-License-Identifier: Apache-2.0
// centre: every rating of the checked rows. level_columns: levels and whole factor rows of the
// checked rows.
#include <fmt/format.h>

#include <cmath>

#include "harness/device/uploaded.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/shared/params/levels.h"

namespace alsbench {
namespace {

// A number of each row from [0, 0.2).
std::vector<float> random_levels(int64_t rows, uint64_t seed) {
  return initial_factors(rows, 1, seed);
}

class CentreFixture : public StageFixture {
 public:
  explicit CentreFixture(const FixtureRequest& request)
      : StageFixture(request),
        device_levels_(uploaded(device(), random_levels(shape_.cols, request.seed))),
        values_(device().allocate(int64_t{4} * shape_.nnz)) {}
  void poison() override { fill_with_nan(values_); }
  StageParams params(int64_t) const override {
    return CentreParams{problem().ratings(side()), device_levels_.as<float>(),
                        static_cast<float>(problem().set().mean), values_.as<float>()};
  }
  Operands operands(const Variant&, int64_t) const override {
    Operands all{{region_of("levels", device_levels_)},
                 {region_of("values", values_, Numbers::fp32)},
                 {items_axis(device_levels_, sizeof(float))}};
    add_ratings(problem().ratings(side()), all.inputs);
    return all;
  }

 private:
  Buffer device_levels_, values_;
};

Verification check_centre(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<CentreParams>();
  const std::vector<double> levels =
      download_values(request.device(), params.levels, 0, fixture.shape().cols, Scalar::fp32);
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  fixture.poison();
  request.executable.launch(params);
  Tally tally;
  for (const int64_t row : rows_to_check(ratings, ratings.rows, 1, request.references)) {
    const int64_t begin = ratings.offsets[row], count = ratings.offsets[row + 1] - begin;
    const auto found = download_values(request.device(), params.values, begin, count, Scalar::fp32);
    RowCheck check;
    check.tolerance = sum_tolerance(2);
    for (int64_t k = 0; k < count; ++k) {
      const double rating = ratings.values[begin + k];
      const double level = levels[ratings.indices[begin + k]];
      check.element({"value", k}, found[k], rating - params.mean - level,
                    std::abs(rating) + std::abs(params.mean) + std::abs(level));
    }
    tally.add(fmt::format("row {} ({} ratings)", row, count), check);
  }
  return tally.result();
}

// The columns after an update: its solutions become levels, and predictions whole.
class LevelColumnsFixture : public StageFixture {
 public:
  explicit LevelColumnsFixture(const FixtureRequest& request)
      : StageFixture(request),
        start_(initial(side(), request.seed)),
        factors_(device(), shape_.rows, shape_.rank),
        levels_start_(uploaded(device(), random_levels(shape_.rows, request.seed + 1))),
        levels_(device().allocate(levels_start_.bytes())) {}
  void restore(const Variant&) override {
    device().copy(factors_.view().data, start_.view().data, start_.bytes());
    device().copy(levels_.data(), levels_start_.data(), levels_.bytes());
  }
  void poison() override {}  // all of it is input, too: restore() fills it
  StageParams params(int64_t) const override { return column_params(1); }
  LevelColumnsParams column_params(int32_t takes) const {
    return {factors_.view(),
            problem().ratings(side()).offsets,
            levels_.as<float>(),
            shape_.rank - 1,
            0,
            takes,
            kShift,
            kWeight,
            kOwnShift,
            kOther};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{region_of("offsets of ratings", problem().ratings(side()).offsets,
                       8 * (shape_.rows + 1), Numbers::other)},
            {region_of("factors", factors_.view().data, factors_.bytes(), Numbers::fp32),
             region_of("levels", levels_, Numbers::fp32)},
            {rows_axis(start_.view()), items_axis(levels_start_, sizeof(float))}};
  }
  const FactorMatrix& start() const { return start_; }
  const float* levels_start() const { return levels_start_.as<float>(); }

 private:
  static constexpr float kShift = 3.5f, kWeight = 0.75f, kOwnShift = 1.25f, kOther = 1;

  const FactorMatrix& start_;
  FactorMatrix factors_;
  Buffer levels_start_, levels_;
};

RowCheck check_columns(const CheckRequest& request, const LevelColumnsFixture& fixture,
                       const LevelColumnsParams& params, int64_t row, bool empty) {
  const FactorsView view = params.factors;
  const auto read = [&](const void* source) {
    return download_values(request.device(), source, row * view.pitch, view.pitch, Scalar::fp32);
  };
  std::vector<double> expected = read(fixture.start().view().data);
  const std::vector<double> found = read(view.data);
  double level =
      download_values(request.device(), fixture.levels_start(), row, 1, Scalar::fp32).front();
  if (!empty) {
    if (params.takes != 0) level = expected[params.own] + params.shift;
    expected[params.own] = params.own_weight * (level - params.own_shift);
    expected[params.other] = params.other_value;
  }
  RowCheck check;
  check.tolerance = sum_tolerance(2);
  for (int32_t i = 0; i < view.pitch; ++i)
    check.element({"factor", i}, found[i], expected[i],
                  i == params.own && !empty ? level + params.shift + params.own_shift : 0);
  check.element({"level", row},
                download_values(request.device(), params.levels, row, 1, Scalar::fp32).front(),
                level, level);
  return check;
}

Verification check_level_columns(const CheckRequest& request) {
  auto& fixture = dynamic_cast<LevelColumnsFixture&>(request.fixture);
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  Tally tally;
  for (const int32_t takes : {0, 1}) {
    const LevelColumnsParams params = fixture.column_params(takes);
    fixture.restore(request.variant);
    request.executable.launch(params);
    for (const int64_t row :
         rows_to_check(ratings, ratings.rows, params.factors.rank, request.references))
      tally.add(fmt::format("row {}", row),
                check_columns(request, fixture, params, row,
                              ratings.offsets[row] == ratings.offsets[row + 1]));
  }
  return tally.result();
}

}  // namespace

StageSupport centre_support() { return {"centre", make<CentreFixture>, check_centre}; }
StageSupport level_columns_support() {
  return {"level_columns", make<LevelColumnsFixture>, check_level_columns};
}

}  // namespace alsbench
