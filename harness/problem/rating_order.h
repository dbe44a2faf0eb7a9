// SPDX-License-Identifier: Apache-2.0
// RatingOrder: a list of a problem's ratings on its device, made on demand.
#pragma once

#include <string>

#include "harness/data/rating_list.h"
#include "harness/problem/device_problem.h"
#include "kernels/shared/params/sgd.h"

namespace alsbench {

// The side whose rows are those of a list in that order (Storage::order). Runs are of the side with
// more rows, whose factors no cache holds. In blocks ratings stand together by the other side,
// whose rows are longer: their updates, which must follow each other, then find them in registers.
Side rows_of_order(const DeviceProblem& problem, const std::string& order);

class RatingOrder {
 public:
  // Throws OutOfMemoryError.
  RatingOrder(Device& device, const RatingList& list);
  RatingListView view() const;

 private:
  int32_t grid_;
  int64_t count_;
  Buffer rows_, cols_, values_, blocks_;
};

}  // namespace alsbench
