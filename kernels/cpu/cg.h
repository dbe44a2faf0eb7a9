// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients over any system: what solve/cg and the updates of the CPU share.
#pragma once

#include <algorithm>

#include "kernels/cpu/simd/simd.h"

namespace alsbench {

struct CgOptions {
  bool warm_start = true;  // from the previous x_u, else from zero
  int steps = 6;
  float tolerance = 0;  // stop at ||r|| <= tolerance ||b||
};

// The paper's Algorithm 1 with the residual update r = r - alpha A p (it prints r - alpha p).
// A System has bias(r): r = b; residual(x, r): r = b - A x; multiply(p, ap): ap = A p; vectors have
// `count` floats. `scratch` holds 3 count floats. Returns the steps taken.
template <class System>
int conjugate_gradient(const System& system, int count, const CgOptions& options, float* x,
                       float* scratch) {
  float* r = scratch;
  float* p = r + count;
  float* ap = p + count;
  float enough = 0;  // squared
  if (!options.warm_start || options.tolerance > 0) {
    system.bias(r);
    enough = options.tolerance * options.tolerance * simd().dot(r, r, count);
  }
  if (options.warm_start)
    system.residual(x, r);
  else
    std::fill_n(x, count, 0.0f);
  std::copy_n(r, count, p);
  float rr = simd().dot(r, r, count);
  int step = 0;
  for (; step < options.steps && rr > enough; ++step) {
    system.multiply(p, ap);
    const float pap = simd().dot(p, ap, count);
    if (!(pap > 0)) break;  // p has vanished in float; x is as good as it gets
    const float alpha = rr / pap;
    simd().axpy(alpha, p, x, count);
    simd().axpy(-alpha, ap, r, count);
    const float next = simd().dot(r, r, count);
    simd().scale_add(r, next / rr, p, count);
    rr = next;
  }
  return step;
}

}  // namespace alsbench
