// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/sgd/sgd_fixture.h"

#include <algorithm>
#include <vector>

#include "harness/problem/factor_copy.h"

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

}  // namespace

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

}  // namespace alsbench
