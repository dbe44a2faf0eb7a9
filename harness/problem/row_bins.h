// SPDX-License-Identifier: Apache-2.0
// RowBins: the rows of a side that have ratings, binned by length, on its device.
#pragma once

#include <string>

#include "harness/problem/device_problem.h"
#include "kernels/shared/params/ccd.h"

namespace alsbench {

class RowBins {
 public:
  // `order` (Storage::order) is such as "long=2048": rows of more ratings come first, the longest
  // ahead; all others follow in their own order. Empty: no bins. Throws std::invalid_argument for
  // any other, a defect of the caller, and OutOfMemoryError.
  RowBins(Device& device, const Csr& ratings, const std::string& order);
  RowBinsView view() const { return {rows_.as<RowBin>(), long_rows_, count_}; }

 private:
  Buffer rows_;
  int64_t long_rows_ = 0, count_ = 0;
};

}  // namespace alsbench
