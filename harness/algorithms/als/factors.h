// SPDX-License-Identifier: Apache-2.0
// Factors: the two factor matrices of a training, with the rounded copies that pipelines read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/algorithms/als/half_iteration.h"
#include "harness/train/algorithm.h"
#include "harness/train/training.h"

namespace alsbench {

class Factors {
 public:
  // X = 0 and Theta = `initial_theta`, which must outlive it.
  Factors(const DeviceProblem& problem, const FactorMatrix& initial_theta);
  // To how it began.
  void reset();

  const FactorMatrix& of(Side side) const { return side == Side::x ? x_ : theta_; }
  FactorMatrix& of(Side side) { return side == Side::x ? x_ : theta_; }
  // What updates `side`.
  HalfIteration::Operands operands(Side side);

  // Makes a side's copy of a type other than fp32, enqueued; with a clock, as its stage "convert".
  void round(Side side, Scalar type);
  void convert(Side side, Scalar type, StageClock& clock);
  // Runs a half-iteration. `type`: how the other side's pipeline will read the solution; fp32 where
  // a copy of another type would be made in vain.
  void update(HalfIteration& half, HalfIteration::Operands operands, Scalar type,
              StageClock& clock);

  // Factors that became infinite in a copy.
  int64_t overflows() const;
  // Throws NonFiniteError, which names the first element that is not finite, and `remedy`. Returns
  // where all are finite.
  void throw_non_finite(int iteration, std::string_view remedy) const;
  std::vector<ModelMatrix> model() const;

 private:
  Buffer& rounded(Side side) { return side == Side::x ? x_rounded_ : theta_rounded_; }

  const DeviceProblem* problem_;
  Device* device_;
  FactorMatrix x_, theta_;
  const FactorMatrix* initial_theta_;
  Buffer x_rounded_, theta_rounded_, overflows_;
};

// Bytes of the initial Theta where the problem had it before; makes it.
int64_t initial_bytes_held(const DeviceProblem& problem, uint64_t seed);

// The parts of a model of two factor matrices are its sides.
inline const std::vector<std::string> kSideNames{"x", "theta"};
Side side_of(const std::string& part);
Shape part_shape(const DeviceProblem& problem, const std::string& part);
Shape part_shape_of_set(const RatingSet& set, int32_t rank, const std::string& part);
// Of a part in an iteration. The conversion of factors to another type counts for the side that
// reads them.
double part_seconds(const IterationRecord& record, const std::string& part);

}  // namespace alsbench
