// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/rating_order.h"

#include "harness/device/uploaded.h"

namespace alsbench {

Side rows_of_order(const DeviceProblem& problem, const std::string& order) {
  const bool more_users = problem.ratings(Side::x).rows >= problem.ratings(Side::theta).rows;
  return more_users == order.starts_with("run=") ? Side::x : Side::theta;
}

RatingOrder::RatingOrder(Device& device, const RatingList& list)
    : grid_(list.grid),
      count_(list.count()),
      rows_(uploaded(device, list.rows)),
      cols_(uploaded(device, list.cols)),
      values_(uploaded(device, list.values)),
      blocks_(uploaded(device, list.blocks)) {}

RatingListView RatingOrder::view() const {
  return {rows_.as<int32_t>(),   cols_.as<int32_t>(),
          values_.as<float>(),   count_,
          blocks_.as<int64_t>(), grid_};
}

}  // namespace alsbench
