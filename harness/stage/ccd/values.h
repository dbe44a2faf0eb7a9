// SPDX-License-Identifier: Apache-2.0
// Inputs of the stages of CCD++.
#pragma once

#include <vector>

#include "harness/problem/device_problem.h"
#include "kernels/shared/params/ccd.h"

namespace alsbench {

// Four numbers of each row from [0, 0.2).
inline std::vector<CcdValues> random_values(int64_t rows, uint64_t seed) {
  const std::vector<float> numbers = initial_factors(rows, 4, seed);
  std::vector<CcdValues> values(static_cast<size_t>(rows));
  for (size_t row = 0; row < values.size(); ++row) {
    const float* own = numbers.data() + 4 * row;
    values[row] = {own[0], own[1], own[2], own[3]};
  }
  return values;
}

inline Buffer on_device(Device& device, const std::vector<CcdValues>& values) {
  Buffer buffer = device.allocate(static_cast<int64_t>(values.size() * sizeof(CcdValues)));
  device.upload(buffer.data(), values.data(), buffer.bytes());
  return buffer;
}

}  // namespace alsbench
