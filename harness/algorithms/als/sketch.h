// SPDX-License-Identifier: Apache-2.0
// Sketch: a start of Theta from the ratings' strongest directions. It multiplies a part of the
// ratings, less their mean, by thin matrices. Formulas and their source:
// docs/explanation/starts.md.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/problem/ratings_subsample.h"
#include "harness/train/stage_clock.h"

namespace alsbench {

// A subsample of a side's ratings, and the compiled stage that draws it.
class DrawnSubsample {
 public:
  // Of the ratings as they are.
  DrawnSubsample(const DeviceProblem& problem, Side side, SubsampleRule rule, uint64_t seed);
  // The same with (r - mean) / n in place of r, in a row of n subsampled ratings.
  DrawnSubsample averaged_residuals(float mean) &&;

  RatingsView view() const { return subsample_.view(); }
  void draw();  // enqueued

 private:
  RatingsSubsample subsample_;
  SubsampleParams params_;
  std::unique_ptr<Executable> stage_;
};

class Sketch {
 public:
  // Compiles, and takes the memory. `share`: of each row's ratings that the products read.
  Sketch(const DeviceProblem& problem, double share, uint64_t seed);

  // From Theta's uniform start to [1, sketch]; that remains where the ratings have no directions.
  // X is zero afterwards. Both stay where they are in memory, for iterations that are recorded. The
  // clock has the stages' times under "start"; the basis is found on the host, with the copies to
  // it and back.
  void run(FactorMatrix& x, FactorMatrix& theta, StageClock& clock);

 private:
  struct SideState {
    DrawnSubsample residuals;
    std::unique_ptr<Executable> product, gram;
    Buffer gram_matrix;
  };
  SideState of_side(Side side, double share) const;
  // target = the mean over each row's residuals times the rows of `factors`; and its Gram matrix.
  void multiply(SideState& of, Side side, const FactorMatrix& factors, FactorMatrix& target,
                StageClock& clock);
  bool find_basis();  // from the Gram matrices to basis_

  const DeviceProblem* problem_;
  uint64_t seed_;
  SideState x_, theta_;
  std::unique_ptr<Executable> rotate_, blend_;
  FactorMatrix product_, ones_;  // of Theta's shape; ones in the first column
  Buffer basis_;
  std::vector<float> host_grams_, host_basis_;
};

}  // namespace alsbench
