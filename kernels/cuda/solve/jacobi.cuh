// SPDX-License-Identifier: Apache-2.0
// Jacobi preconditioning of conjugate gradients: residuals are multiplied by weights, one over the
// diagonal of A_u. Without it there are none, and no code.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Where the diagonal is zero, so are the row of A_u and the residual.
__device__ __forceinline__ float jacobi_weight(float diagonal) {
  return diagonal > 0 ? __fdividef(1.0f, diagonal) : 0.0f;
}

// Weights in shared memory.
template <bool kJacobi>
struct JacobiWeights {
  float* of = nullptr;

  __device__ __forceinline__ float times(float value, int e) const {
    if constexpr (kJacobi) return of[e] * value;
    return value;
  }
};

}  // namespace alsbench
