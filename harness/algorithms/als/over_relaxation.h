// SPDX-License-Identifier: Apache-2.0
// OverRelaxation: carries factors on in the direction of their last update, X + w (X - before).
#pragma once

#include <memory>

#include "harness/problem/device_problem.h"

namespace alsbench {

class OverRelaxation {
 public:
  // Compiles, and takes memory for a second copy of X.
  OverRelaxation(const DeviceProblem& problem, float weight);

  // Both are enqueued.
  void keep(const FactorMatrix& x);  // before the update
  void apply(FactorMatrix& x);       // after it

 private:
  Device* device_;
  float weight_;
  std::unique_ptr<Executable> blend_;
  FactorMatrix before_;
};

}  // namespace alsbench
