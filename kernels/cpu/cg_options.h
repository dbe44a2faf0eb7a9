// SPDX-License-Identifier: Apache-2.0
// What conjugate gradients are asked for.
#pragma once

namespace alsbench {

struct CgOptions {
  bool warm_start = true;  // from the previous x_u, else from zero
  int steps = 6;
  float tolerance = 0;  // stop at ||r|| <= tolerance ||b||
  bool jacobi = false;  // preconditioned by the diagonal of A_u
};

}  // namespace alsbench
