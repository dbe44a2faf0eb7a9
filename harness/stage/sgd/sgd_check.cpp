// SPDX-License-Identifier: Apache-2.0
// sgd_epoch: every element of the rows that a sample of the ratings updates, against the updates in
// double one after another; and all ratings, which must lower the squared error.
#include <fmt/format.h>

#include <cmath>
#include <map>

#include "harness/stage/check.h"
#include "harness/stage/sgd/sgd_fixture.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/reference/sgd.h"

namespace alsbench {
namespace {

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
