// SPDX-License-Identifier: Apache-2.0
// CcdSide: one side of a training by CCD++. It has the factors, the values of the current feature,
// and the residuals of all ratings in the order of its rows.
#pragma once

#include <memory>

#include "harness/problem/row_bins.h"
#include "kernels/shared/params/ccd.h"
#include "variants/pipeline.h"

namespace alsbench {

class CcdSide {
 public:
  // Factors are zero. Throws ObjectionError, OutOfMemoryError.
  CcdSide(const DeviceProblem& problem, Side side, const PipelineStep& update);

  Side side() const { return side_; }
  const FactorMatrix& factors() const { return factors_; }
  std::vector<float> take_factors() { return factors_.take(); }
  // Random factors (initial_factors) for the rows that have ratings.
  void fill(uint64_t seed);
  void upload(const std::vector<float>& factors);  // rows x rank

  // Residuals of both sides' factors, and the values of feature 0.
  void begin(const CcdSide& other);
  // Updates the current feature. `first`: this side's first update of it. Enqueued.
  void update(const CcdSide& other, bool first);
  // Writes feature `last` to the factors, and makes `next` the current one. Enqueued.
  void advance(int32_t last, int32_t next);

 private:
  void compute_residuals(const CcdSide& other);

  const DeviceProblem* problem_;
  Side side_;
  bool is_zero_ = true;  // no factors came yet
  FactorMatrix factors_;
  RowBins bins_;
  Buffer values_, residuals_;
  std::unique_ptr<Executable> update_, next_;
};

}  // namespace alsbench
