// SPDX-License-Identifier: Apache-2.0
// sgd_epoch: every element of the rows that a sample of the ratings updates, against the updates in
// double one after another; and all ratings, which must lower the squared error.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "harness/problem/factor_copy.h"
#include "harness/problem/rating_order.h"
#include "harness/stage/check.h"
#include "harness/stage/stage_fixture.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/reference/sgd.h"

namespace alsbench {
namespace {

constexpr int64_t kMaxSampledRatings = 4096;  // ratings
constexpr float kSgdRate = 0.02f;

struct ListCells {
  std::vector<int32_t> rows, cols;
  std::vector<float> values;
  std::vector<int64_t> blocks;

  int64_t count() const { return static_cast<int64_t>(values.size()); }
  void add(const RatingList& list, int64_t i) {
    rows.push_back(list.rows[i]);
    cols.push_back(list.cols[i]);
    values.push_back(list.values[i]);
  }
  RatingList list(int32_t grid) && {
    return {Array<int32_t>(std::move(rows)), Array<int32_t>(std::move(cols)),
            Array<float>(std::move(values)), Array<int64_t>(std::move(blocks)), grid};
  }
};

RatingList without_conflicts(const RatingList& list, int64_t row_count, int64_t col_count) {
  constexpr int64_t kMinBatch = 64, kMaxReadRatings = 1 << 22;
  std::vector<char> row_used(static_cast<size_t>(row_count)),
      col_used(static_cast<size_t>(col_count));
  ListCells cells;
  const int64_t end = std::min(list.count(), kMaxReadRatings);
  for (int64_t i = 0; i < end && cells.count() < kMaxSampledRatings; ++i) {
    const bool continues = cells.count() % kMinBatch != 0 && cells.rows.back() == list.rows[i];
    if ((!continues && row_used[list.rows[i]] != 0) || col_used[list.cols[i]] != 0) continue;
    row_used[list.rows[i]] = col_used[list.cols[i]] = 1;
    cells.add(list, i);
  }
  return std::move(cells).list(0);
}

// Evenly spaced ratings, in their blocks.
RatingList thinned_blocks(const RatingList& list) {
  const int64_t step = (list.count() + kMaxSampledRatings - 1) / kMaxSampledRatings;
  ListCells cells;
  cells.blocks.push_back(0);
  for (int64_t block = 0; block + 1 < list.blocks.size(); ++block) {
    for (int64_t i = list.blocks[block]; i < list.blocks[block + 1]; ++i)
      if (i % step == 0) cells.add(list, i);
    cells.blocks.push_back(cells.count());
  }
  return std::move(cells).list(list.grid);
}

RatingList sample_of(const RatingList& list, const Csr& ratings) {
  return list.grid > 0 ? thinned_blocks(list) : without_conflicts(list, ratings.rows, ratings.cols);
}

RatingList requested_list(const FixtureRequest& request, Side rows) {
  return rating_list(request.problem.host_ratings(rows), request.storage.order, request.seed);
}

// Factors from before an epoch, and the ratings in the order of the configuration, which is part of
// its storage.
class SgdFixture : public StageFixture {
 public:
  explicit SgdFixture(const FixtureRequest& request);

  void restore(const Variant&) override;
  void poison() override {}  // the factors are inputs, too: restore() fills them
  StageParams params(int64_t) const override { return sgd_params(order_.view()); }
  Operands operands(const Variant&, int64_t) const override;
  SgdParams sgd_params(const RatingListView& ratings) const;
  // Some of the ratings, on the host. A list of runs has no two runs with a common row or column,
  // and none across a multiple of 64. The result is therefore that of one worker, whatever workers
  // do concurrently.
  const RatingList& sample() const { return sample_; }
  // The factors' rows that the list calls rows.
  Side rows() const { return rows_; }
  Scalar type() const { return request().storage.factors; }
  FactorsView factors(Side side) const;

 private:
  // The list is needed for its copies alone.
  SgdFixture(const FixtureRequest& request, Side rows, const RatingList& list);

  Side rows_;
  RatingOrder order_;
  RatingList sample_;
  const FactorMatrix &x_start_, &theta_start_;
  Buffer x_, theta_;
};

SgdFixture::SgdFixture(const FixtureRequest& request)
    : SgdFixture(request, rows_of_order(request.problem, request.storage.order),
                 requested_list(request, rows_of_order(request.problem, request.storage.order))) {}

SgdFixture::SgdFixture(const FixtureRequest& request, Side rows, const RatingList& list)
    : StageFixture(request),
      rows_(rows),
      order_(device(), list),
      sample_(sample_of(list, problem().host_ratings(rows))),
      x_start_(initial(Side::x, request.seed + 1)),
      theta_start_(initial(Side::theta, request.seed)),
      x_(device().allocate(factor_copy_bytes(type(), x_start_.view()))),
      theta_(device().allocate(factor_copy_bytes(type(), theta_start_.view()))) {
  SgdFixture::restore({});
}

void SgdFixture::restore(const Variant&) {
  for (const Side side : {Side::x, Side::theta}) {
    const FactorMatrix& start = side == Side::x ? x_start_ : theta_start_;
    void* target = factors(side).data;
    if (type() == Scalar::fp32)
      device().copy(target, start.view().data, start.bytes());
    else
      copy_factors(device(), {target, type()}, start.view(), nullptr);
  }
}

Operands SgdFixture::operands(const Variant&, int64_t) const {
  const RatingListView list = order_.view();
  const auto words = [&](const char* name, const void* data) {
    return region_of(name, data, 4 * list.count, Numbers::other);
  };
  return {{words("rows of ratings", list.rows), words("columns of ratings", list.cols),
           words("values of ratings", list.values)},
          {region_of("X", x_, numbers_of(type())), region_of("Theta", theta_, numbers_of(type()))},
          {rows_axis(x_start_.view(), 0), rows_axis(theta_start_.view(), 1)}};
}

FactorsView SgdFixture::factors(Side side) const {
  FactorsView view = (side == Side::x ? x_start_ : theta_start_).view();
  view.data = (side == Side::x ? x_ : theta_).data();
  return view;
}

SgdParams SgdFixture::sgd_params(const RatingListView& ratings) const {
  return {ratings, factors(rows_), factors(other(rows_)), problem().lambda(), kSgdRate};
}

using reference::SgdRow;

std::vector<double> row_on_device(const SgdFixture& fixture, Side side, int64_t row) {
  const FactorsView view = fixture.factors(side);
  return download_values(fixture.problem().device(), view.data, row * view.pitch, view.rank,
                         fixture.type());
}

// The factor rows that updates touch, by row.
class SgdRows {
 public:
  SgdRows(const SgdFixture& fixture, Side side) : fixture_(fixture), side_(side) {}
  Side side() const { return side_; }
  SgdRow& at(int32_t row) {
    const auto found = rows_.find(row);
    if (found != rows_.end()) return found->second;
    return rows_.emplace(row, SgdRow(row_on_device(fixture_, side_, row))).first->second;
  }
  // Takes in a row that no rating updates, the first one; none where all are updated.
  void add_untouched() {
    int32_t row = 0;
    while (rows_.contains(row)) ++row;
    if (row < fixture_.factors(side_).rows) at(row);
  }
  const std::map<int32_t, SgdRow>& all() const { return rows_; }

 private:
  const SgdFixture& fixture_;
  Side side_;
  std::map<int32_t, SgdRow> rows_;
};

// The places of a list, as one worker goes through them.
std::vector<int64_t> serial_order(const RatingList& list) {
  std::vector<int64_t> places;
  if (list.grid == 0)
    for (int64_t i = 0; i < list.count(); ++i) places.push_back(i);
  for (int32_t step = 0; step < list.grid; ++step)
    for (int32_t worker = 0; worker < list.grid; ++worker) {
      const int64_t block = int64_t{worker} * list.grid + column_block(worker, step, list.grid);
      for (int64_t i = list.blocks[block]; i < list.blocks[block + 1]; ++i) places.push_back(i);
    }
  return places;
}

// Errors are relative to the tolerance: twelve standard deviations of what rounding does.
void compare_rows(const SgdFixture& fixture, const SgdRows& rows, Tally& tally) {
  for (const auto& [index, expected] : rows.all()) {
    const std::vector<double> found = row_on_device(fixture, rows.side(), index);
    RowCheck check;
    check.tolerance = 1;
    for (size_t i = 0; i < found.size(); ++i)
      check.element({"factor", static_cast<int64_t>(i)}, found[i], expected.values[i],
                    kDeviationsInATolerance * std::sqrt(expected.variance[i]));
    tally.add(fmt::format("{} row {} ({} updates)", name_of(rows.side()), index, expected.updates),
              check);
  }
}

void check_sample(const CheckRequest& request, SgdFixture& fixture, Tally& tally) {
  const RatingList& sample = fixture.sample();
  fixture.restore(request.variant);
  SgdRows rows(fixture, fixture.rows()), cols(fixture, other(fixture.rows()));
  const RatingOrder order(request.device(), sample);
  const SgdParams params = fixture.sgd_params(order.view());
  constexpr double kMinHalf = 0x1p-25;  // half a step between the smallest halves
  const reference::SgdStep step{params.rate, params.lambda, storage_tolerance(fixture.type()),
                                fixture.type() == Scalar::fp32 ? 0 : kMinHalf};
  for (const int64_t i : serial_order(sample))
    reference::sgd_update(rows.at(sample.rows[i]), cols.at(sample.cols[i]), sample.values[i], step);
  rows.add_untouched();
  cols.add_untouched();
  request.executable.launch(params);
  compare_rows(fixture, rows, tally);
  compare_rows(fixture, cols, tally);
}

// Over the ratings of some users.
double squared_error(const SgdFixture& fixture, const std::vector<int64_t>& users) {
  const Csr& ratings = fixture.problem().host_ratings(Side::x);
  const FactorReader theta(fixture.problem().device(), fixture.factors(Side::theta),
                           fixture.type());
  double sum = 0;
  for (const int64_t user : users) {
    const std::vector<double> x = row_on_device(fixture, Side::x, user);
    const FactorReader::Row row = theta.row(ratings, user);
    for (size_t k = 0; k < row.values.size(); ++k) {
      double error = row.values[k];
      for (size_t i = 0; i < x.size(); ++i) error -= x[i] * row.factors[k * x.size() + i];
      sum += error * error;
    }
  }
  return sum;
}

void check_all(const CheckRequest& request, SgdFixture& fixture, Tally& tally) {
  const Csr& ratings = fixture.problem().host_ratings(Side::x);
  const auto users =
      rows_to_check(ratings, ratings.rows, fixture.problem().rank(), request.references);
  fixture.restore(request.variant);
  const double before = squared_error(fixture, users);
  fixture.launch(request.executable);
  const double after = squared_error(fixture, users);
  RowCheck check;
  check.is_nan = !std::isfinite(after);
  if (before > 0 && !(after < before))
    check.fail(fmt::format("the squared error is {:.6g}, and was {:.6g} before", after, before));
  tally.add("all ratings", check);
}

Verification check_sgd(const CheckRequest& request) {
  auto& fixture = dynamic_cast<SgdFixture&>(request.fixture);
  Tally tally;
  check_sample(request, fixture, tally);
  check_all(request, fixture, tally);
  return tally.result();
}

}  // namespace

StageSupport sgd_epoch_support() { return {"sgd_epoch", make<SgdFixture>, check_sgd}; }

}  // namespace alsbench
