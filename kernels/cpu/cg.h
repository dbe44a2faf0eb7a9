// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients over any system: what solve/cg and the updates of the CPU share.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "kernels/cpu/cg_options.h"
#include "kernels/cpu/simd/simd.h"

namespace alsbench {

constexpr int kCgVectors = 5;  // of `count` floats, that it computes in

// p . A p, for which a System may not need all of A p. `ap` is scratch.
template <class System>
float energy(const System& system, int count, const float* p, float* ap) {
  if constexpr (requires { system.energy(p); }) return system.energy(p);
  system.multiply(p, ap);
  return simd().dot(p, ap, count);
}

// The paper's Algorithm 1 with the residual update r = r - alpha A p (it prints r - alpha p).
// A System has bias(r): r = b; residual(x, r): r = b - A x; multiply(p, ap): ap = A p; perhaps
// energy(p): p . A p, for less than that; diagonal(d): A's, asked for by Jacobi alone; vectors have
// `count` floats. `scratch` holds kCgVectors of them. Returns the steps taken.
// Where a sum is beyond the floats, x becomes NaN: it would stay where it began, and nothing would
// show.
template <class System>
int conjugate_gradient(const System& system, int count, const CgOptions& options, float* x,
                       float* scratch) {
  float* r = scratch;
  float* p = r + count;
  float* ap = p + count;
  float* more = ap + count;
  float* z = options.jacobi ? more : r;  // M^-1 r
  float* inverse = more + count;         // of M, the diagonal of A
  const auto precondition = [&] {
    if (options.jacobi) std::transform(r, r + count, inverse, z, std::multiplies<>());
    return simd().dot(r, z, count);
  };
  float enough = 0;  // squared
  if (!options.warm_start || options.tolerance > 0) {
    system.bias(r);
    enough = options.tolerance * options.tolerance * simd().dot(r, r, count);
  }
  if (options.warm_start)
    system.residual(x, r);
  else
    std::fill_n(x, count, 0.0f);
  if (options.jacobi) {
    system.diagonal(inverse);
    // Where A's diagonal is zero, so are its row and r.
    for (int i = 0; i < count; ++i) inverse[i] = inverse[i] > 0 ? 1 / inverse[i] : 0;
  }
  float rz = precondition();
  std::copy_n(z, count, p);
  // r z vanishes with r; a tolerance is of ||r||.
  const auto goes_on = [&] {
    return (options.jacobi && enough > 0 ? simd().dot(r, r, count) : rz) > enough;
  };
  int step = 0;
  bool finite = std::isfinite(rz) && std::isfinite(enough);
  for (; finite && step < options.steps && goes_on(); ++step) {
    const bool last = step + 1 == options.steps;  // whose residual nobody reads
    if (!last) system.multiply(p, ap);
    const float pap = last ? energy(system, count, p, ap) : simd().dot(p, ap, count);
    if (pap <= 0) break;  // p has vanished in float; x is as good as it gets
    finite = std::isfinite(pap);
    const float alpha = rz / pap;
    simd().axpy(alpha, p, x, count);
    if (last) continue;
    simd().axpy(-alpha, ap, r, count);
    const float next = precondition();
    finite = finite && std::isfinite(next);
    simd().scale_add(z, next / rz, p, count);
    rz = next;
  }
  if (!finite) std::fill_n(x, count, std::numeric_limits<float>::quiet_NaN());
  return step;
}

}  // namespace alsbench
