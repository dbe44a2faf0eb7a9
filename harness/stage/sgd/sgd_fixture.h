// SPDX-License-Identifier: Apache-2.0
// The fixture of the stage sgd_epoch: factors from before an epoch, and the ratings in the order of
// the configuration, which is part of its storage.
#pragma once

#include "harness/problem/rating_order.h"
#include "harness/stage/stage_fixture.h"

namespace alsbench {

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

}  // namespace alsbench
