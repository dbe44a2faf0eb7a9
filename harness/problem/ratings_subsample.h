// SPDX-License-Identifier: Apache-2.0
// RatingsSubsample: some of the ratings of each row of a side, as ratings on the device. How many
// of each row is known beforehand; the stage subsample fills them in.
#pragma once

#include <cstdint>

#include "harness/problem/device_problem.h"
#include "kernels/shared/params/start.h"

namespace alsbench {

// A share of each row, rounded up, but `minimum` ratings where the row has them.
struct SubsampleRule {
  double share = 1;
  int64_t minimum = 1;

  int64_t taken(int64_t count) const;  // of a row of `count` ratings
};

class RatingsSubsample {
 public:
  // Counts the rows out on the host and takes the memory.
  RatingsSubsample(const DeviceProblem& problem, Side side, SubsampleRule rule);

  RatingsView view() const;
  // Arguments of the stage that fills it in, with the ratings' own values.
  SubsampleParams params(uint64_t seed) const;

 private:
  RatingsView ratings_;  // the whole
  int64_t nnz_ = 0;
  Buffer offsets_, offsets32_, indices_, values_;
};

}  // namespace alsbench
