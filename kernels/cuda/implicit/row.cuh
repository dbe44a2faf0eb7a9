// SPDX-License-Identifier: Apache-2.0
// A row of implicit ALS, from its weighted sums to its solution.
#pragma once

#include "kernels/cuda/implicit/gram_tiles.cuh"
#include "kernels/cuda/mma/byte_sums.cuh"
#include "kernels/cuda/update/tile_cg.cuh"

namespace alsbench {

// The arguments of a stage, and the type of the factors that it sums.
template <typename Factor>
struct ImplicitRows {
  const ImplicitParams& params;
};
template <typename Factor>
__device__ __forceinline__ const UpdateParams& update_of(const ImplicitRows<Factor>& rows) {
  return rows.params.update;
}
// A Gram matrix of many rows may be so large that the square of A_u p overflows.
struct ImplicitCgRow : CgRow {};
template <>
constexpr bool kMayOverflow<ImplicitCgRow> = true;

template <typename Factor>
__device__ __forceinline__ ImplicitCgRow cg_row(const ImplicitRows<Factor>& rows, int row,
                                                int count) {
  const ImplicitParams& p = rows.params;
  const float lambda =
      p.weighted != 0 ? p.update.lambda * static_cast<float>(count) : p.update.lambda;
  return {{solution_of(p.update, row), lambda, __uint_as_float(scale_of<Factor>(p).bias_bits),
           p.update.plan.cg_steps, p.update.plan.cg_tolerance}};
}

// Arguments as of update_row; the sums are changed.
template <int kRank, typename Factor, typename Element, bool kTolerance, bool kWarm, bool kJacobi>
__device__ __forceinline__ void update_implicit_row(const ImplicitParams& p, MmaSums<kRank>& sums,
                                                    int row, int count, float* vectors) {
  if (count > 0) add_gram<kRank, Factor>(sums, p);
  update_row<kRank, Factor, Element, kTolerance, kWarm, kJacobi>(ImplicitRows<Factor>{p}, sums, row,
                                                                 count, vectors);
}

// The same with sums of bytes as floats; arguments as of update_scaled_row.
template <int kRank, typename Element, bool kTolerance, bool kWarm, bool kJacobi>
__device__ __forceinline__ void update_implicit_row(const ImplicitParams& p, MmaSums<kRank>& sums,
                                                    const float* scales, int row, int count,
                                                    float* vectors, uint32_t* largest) {
  if (count > 0) add_gram<kRank, Int8>(sums, p);
  update_scaled_row<kRank, Element, kTolerance, kWarm, kJacobi>(
      ImplicitRows<Int8>{p}, ScaledSums<MmaLayout{kRank}.tiles(), float>{sums, scales}, row, count,
      vectors, largest);
}

}  // namespace alsbench
