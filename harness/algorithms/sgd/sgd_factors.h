// SPDX-License-Identifier: Apache-2.0
// SgdFactors: X and Theta in the type that epochs update them in, and in float for metrics. In a
// team every member has all rows, of which some are up to date.
#pragma once

#include "harness/algorithms/sgd/sgd_partition.h"
#include "harness/problem/device_problem.h"
#include "harness/train/training.h"

namespace alsbench {

class SgdFactors {
 public:
  // Each element is sqrt(|mean| / rank) plus a random number from [-0.1, 0.1): predictions begin
  // near the mean rating. Theta has the mean's sign. Rows without ratings are zero. `type` is fp32
  // or fp16.
  SgdFactors(const DeviceProblem& problem, Scalar type, uint64_t seed);

  // Factors that an epoch reads and writes.
  FactorsView stored(Side side) const;
  // In float, as of the last widen().
  const FactorMatrix& of(Side side) const { return side == Side::x ? x_ : theta_; }
  void widen();
  // Brings all members the rows that each of them has in a step. Enqueued, a collective.
  void exchange(Side side, const SgdPartition& partition, int step) const;
  int64_t stored_bytes(Side side) const;  // of all rows
  // Of the last widen(), on the first member.
  std::vector<ModelMatrix> model() const;
  std::vector<ModelMatrix> last_model();  // takes the matrices
  // Goes on with these, bit for bit: halves that were widened narrow to what they were.
  void restore(const std::vector<ModelMatrix>& model);

 private:
  FactorMatrix start(Side side, uint64_t seed) const;
  void narrow(Side side);  // to what epochs read and write

  const DeviceProblem* problem_;
  Scalar type_;
  FactorMatrix x_, theta_;
  Buffer x_stored_, theta_stored_;  // empty where the type is fp32
};

}  // namespace alsbench
