// SPDX-License-Identifier: Apache-2.0
// Options of conjugate gradients.
#pragma once

namespace alsbench {

struct CgOptions {
  bool warm_start = true;  // from the previous x_u, else from zero
  int steps = 6;
  float tolerance = 0;  // stop at ||r|| <= tolerance ||b||
  bool jacobi = false;  // preconditioned by the diagonal of A_u
};

}  // namespace alsbench
