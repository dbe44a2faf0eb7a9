// SPDX-License-Identifier: Apache-2.0
// Rotation: turns both factor matrices into the basis in which the next systems A_u are nearly
// diagonal, so Jacobi's conjugate gradients need few steps. Predictions stay as they are.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/problem/device_problem.h"
#include "harness/train/stage_clock.h"

namespace alsbench {

class Rotation {
 public:
  // Compiles, and takes memory for a second copy of the factors.
  explicit Rotation(const DeviceProblem& problem);

  // Replaces X and Theta by X V and Theta V. V has the eigenvectors of sum n_j y_j y_j^T over the
  // rows of side `fixed`; it is the identity where that is not finite. The clock has the stages'
  // times under the other side's name: gram, eigenvectors (on the host, with the copies to it and
  // back) and rotate. Each call moves both matrices to their second copies and back: iterations
  // that are recorded find them where they were after two.
  void run(Side fixed, FactorMatrix& x, FactorMatrix& theta, StageClock& clock);

 private:
  struct SideState {
    std::unique_ptr<Executable> gram, rotate;
    FactorMatrix spare;
  };
  SideState& of(Side side) { return side == Side::x ? x_ : theta_; }
  void find_basis();  // from gram_ to basis_

  const DeviceProblem* problem_;
  SideState x_, theta_;
  Buffer gram_, basis_;
  std::vector<float> host_gram_, host_basis_;
};

}  // namespace alsbench
