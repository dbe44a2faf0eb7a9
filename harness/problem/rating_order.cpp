// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/rating_order.h"

namespace alsbench {
namespace {

template <class T>
Buffer upload_list(Device& device, const Array<T>& values) {
  Buffer buffer = device.allocate(values.bytes());
  if (values.size() > 0) device.upload(buffer.data(), values.data(), values.bytes());
  return buffer;
}

}  // namespace

Side rows_of_order(const DeviceProblem& problem, const std::string& order) {
  const bool more_users = problem.ratings(Side::x).rows >= problem.ratings(Side::theta).rows;
  return more_users == order.starts_with("run=") ? Side::x : Side::theta;
}

RatingOrder::RatingOrder(Device& device, const RatingList& list)
    : grid_(list.grid),
      count_(list.count()),
      rows_(upload_list(device, list.rows)),
      cols_(upload_list(device, list.cols)),
      values_(upload_list(device, list.values)),
      blocks_(upload_list(device, list.blocks)) {}

RatingListView RatingOrder::view() const {
  return {rows_.as<int32_t>(),   cols_.as<int32_t>(),
          values_.as<float>(),   count_,
          blocks_.as<int64_t>(), grid_};
}

}  // namespace alsbench
