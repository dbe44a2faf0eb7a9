// SPDX-License-Identifier: Apache-2.0
// A row of implicit ALS, from its weighted sums to its solution. All of A_u and b_u are s times
// what they stand for, which leaves the solution as it is.
#pragma once

#include "kernels/cuda/implicit/gram_tiles.cuh"
#include "kernels/cuda/update/tile_cg.cuh"

namespace alsbench {

__device__ __forceinline__ CgRow cg_row(const ImplicitParams& p, int row, int count) {
  const WeightScale scale = scale_of(p);
  const float lambda =
      p.weighted != 0 ? p.update.lambda * static_cast<float>(count) : p.update.lambda;
  return {solution_of(p.update, row), __uint_as_float(scale.weight_bits) * lambda,
          __uint_as_float(scale.bias_bits), p.update.plan.cg_steps, p.update.plan.cg_tolerance};
}

// Arguments as of update_row; the sums are changed.
template <int kRank, typename Factor, typename Element, bool kTolerance, bool kWarm, bool kJacobi>
__device__ __forceinline__ void update_implicit_row(const ImplicitParams& p, MmaSums<kRank>& sums,
                                                    int row, int count, float* vectors) {
  if (count > 0) add_gram<kRank>(sums, p);
  update_row<kRank, Factor, Element, kTolerance, kWarm, kJacobi>(p, sums, row, count, vectors);
}

}  // namespace alsbench
