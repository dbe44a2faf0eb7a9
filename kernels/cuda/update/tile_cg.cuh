// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients by one warp with A_u in its registers. The same algorithm as
// kernels/cuda/solve/cg.cuh.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/device/reduce.cuh"
#include "kernels/cuda/mma/bias.cuh"
#include "kernels/cuda/mma/items.cuh"
#include "kernels/cuda/update/half_product.cuh"
#include "kernels/cuda/update/solution.cuh"
#include "kernels/cuda/update/tile_product.cuh"
#include "kernels/cuda/update/tile_weights.cuh"

namespace alsbench {

// Multiplies by A_u of that storage.
template <int kRank, typename Element, typename Sums>
using CgProduct =
    typename Choice<sizeof(Element) == 2, HalfProduct<kRank, Sums>, TileProduct<kRank>>::Type;

// State of CG for a row besides A_u and b_u.
struct CgRow {
  const float* start;  // in global memory
  float diagonal;      // lambda n_u
  float bias_scale;
  int steps;  // at most
  float tolerance;
};
__device__ __forceinline__ CgRow cg_row(const UpdateParams& p, int row, int count) {
  return {solution_of(p, row), p.lambda * static_cast<float>(count),
          inverse_power(p.ratings.half_scale), p.plan.cg_steps, p.plan.cg_tolerance};
}

// Whether the sums of a step may be infinite. The next residual is then summed, not predicted, and
// a curvature that __fdividef would take for infinite makes the solution NaN: no step would be
// taken otherwise, and nothing would show.
template <typename Row>
constexpr bool kMayOverflow = false;
inline constexpr float kMaxDivisor = 0x1p126f;

// The four sums that a step needs, taken over the warp in one go.
struct CgStep {
  float curvature = 0;          // p^T A p
  float residual = 0;           // r^T W r, until now predicted; W is 1 / diagonal with Jacobi
  float residual_product = 0;   // r^T W A p
  float square_of_product = 0;  // (A p)^T W A p

  template <bool kJacobi>
  __device__ __forceinline__ void add(float direction, float r, float product,
                                      const JacobiWeights<kJacobi>& weights, int e) {
    const float z = weights.times(r, e), weighted_product = weights.times(product, e);
    curvature = fmaf(direction, product, curvature);
    residual = fmaf(r, z, residual);
    residual_product = fmaf(z, product, residual_product);
    square_of_product = fmaf(product, weighted_product, square_of_product);
  }

  // The next r^T W r, predicted (Chen and Carson 2020, SIAM J. Matrix Anal. Appl. 41(3)).
  __device__ __forceinline__ float next_residual(float alpha) const {
    return fmaf(alpha, fmaf(alpha, square_of_product, -2 * residual_product), residual);
  }
};
template <int kRank, bool kJacobi>
__device__ __forceinline__ CgStep cg_step(const OwnedElements<kRank>& owned, const float* direction,
                                          const JacobiWeights<kJacobi>& weights,
                                          const float (&r)[OwnedElements<kRank>::kCount],
                                          const float (&product)[OwnedElements<kRank>::kCount]) {
  CgStep step;
  owned.for_each([&](int q, int e) { step.add(direction[e], r[q], product[q], weights, e); });
  warp_sums(step.curvature, step.residual, step.residual_product, step.square_of_product);
  return step;
}

// Solves with the sums of a row that has ratings; `shared` is the warp's, of
// MmaLayout::vectors_bytes(1, kJacobi). Gives write(e, x_e) the solution; returns the steps taken.
template <int kRank, typename Element, bool kTolerance, bool kWarm, bool kJacobi, typename Sums,
          typename Row, typename Write>
__device__ __forceinline__ int solve_tiles(const Sums& sums, const Row& row, float* shared,
                                           Write&& write) {
  const int lane = fresh_lane();
  const OwnedElements<kRank> owned{lane};
  constexpr int kOwned = OwnedElements<kRank>::kCount;
  float* direction = shared;
  const JacobiWeights<kJacobi> weights{shared + MmaLayout{kRank}.vectors_bytes(1) / 4};
  float x[kOwned] = {}, r[kOwned] = {}, product[kOwned];

  if constexpr (kWarm && (kHoldsMore || !kSumsOfPieces<Sums>))
    owned.for_each([&](int, int e) { prefetch(row.start + e); });
  if constexpr (kJacobi) put_diagonal<kRank>(sums, shared_address(weights.of));
  put_bias<kRank>(sums, shared_address(direction));
  const CgProduct<kRank, Element, Sums> matrix(sums, lane, shared);
  if constexpr (kWarm) owned.for_each([&](int q, int e) { x[q] = __ldcg(row.start + e); });
  __syncwarp();
  if constexpr (kJacobi) make_weights(owned, row.diagonal, scales_of(sums), weights.of);
  owned.for_each([&](int q, int e) {
    r[q] = direction[e] * row.bias_scale;
    if constexpr (kIsScaled<Sums>) r[q] *= scales_of(sums)[e];
  });
  auto square = [&] {
    float sum = 0;
    owned.for_each([&](int q, int) { sum = fmaf(r[q], r[q], sum); });
    return warp_sum(sum);
  };
  auto weighted_square = [&] {
    float sum = 0;
    owned.for_each([&](int q, int e) { sum = fmaf(r[q], weights.times(r[q], e), sum); });
    return warp_sum(sum);
  };
  float stop = 0;
  if constexpr (kTolerance) stop = row.tolerance * row.tolerance * square();
  float rr = kWarm ? 0 : weighted_square();
  constexpr bool kPlainNorm = kTolerance && kJacobi;  // in addition to the weighted one: to stop at
  owned.for_each([&](int q, int e) { direction[e] = kWarm ? x[q] : weights.times(r[q], e); });

  // Step -1 multiplies the start: what it leaves of b is the first residual and direction.
  int step = kWarm ? -1 : 0;
  bool more = kWarm || (row.steps > 0 && !((kPlainNorm ? square() : rr) <= stop));
#pragma unroll 1
  while (more) {
    matrix.multiply(product);
    owned.for_each(
        [&](int q, int e) { product[q] = fmaf(row.diagonal, direction[e], product[q]); });
    float alpha = 1, next = 0;
    if (step >= 0) {
      const CgStep sums_of_step = cg_step<kRank>(owned, direction, weights, r, product);
      if (sums_of_step.curvature <= 0) break;
      rr = sums_of_step.residual;
      alpha = __fdividef(rr, sums_of_step.curvature);
      if (kMayOverflow<Row> && sums_of_step.curvature > kMaxDivisor) alpha = __int_as_float(-1);
      next = sums_of_step.next_residual(alpha);
      if constexpr (kMayOverflow<Row>)  // NaN where the square is infinite
        next = fmaf(0.0f, sums_of_step.square_of_product, next);
      owned.for_each([&](int q, int e) { x[q] = fmaf(alpha, direction[e], x[q]); });
    }
    owned.for_each([&](int q, int) { r[q] = fmaf(-alpha, product[q], r[q]); });
    ++step;
    if (step == row.steps) break;
    // Where most digits cancel it is summed; also at the start, and where it is NaN.
    if (!(next > 1e-2f * rr)) next = weighted_square();
    const float beta = step == 0 ? 0.0f : __fdividef(next, rr);
    rr = next;
    // Written so that a NaN goes on and shows in x.
    more = !((kPlainNorm ? square() : rr) <= stop);
    owned.for_each([&](int q, int e) {
      direction[e] =
          step == 0 ? weights.times(r[q], e) : fmaf(beta, direction[e], weights.times(r[q], e));
    });
  }
  owned.for_each([&](int q, int e) { write(e, x[q]); });
  __syncwarp();
  return step;
}

// Solves batch row `row` and writes its solution and its number of steps. `largest`: as of
// write_measured; of factors that are no bytes, null.
template <int kRank, typename Factor, typename Element, bool kTolerance, bool kWarm, bool kJacobi,
          typename Params, typename Sums>
__device__ __forceinline__ void update_row(const Params& params, const Sums& sums, int row,
                                           int count, float* shared,
                                           [[maybe_unused]] uint32_t* largest = nullptr) {
  const UpdateParams& p = update_of(params);
  const auto write = [&](int e, float value) {
    if constexpr (sizeof(Factor) == 1)
      write_measured(p, row, e, value, largest);
    else
      write_solution<Factor>(p, row, e, value);
  };
  int steps = 0;
  if (count > 0)
    steps = solve_tiles<kRank, Element, kTolerance, kWarm, kJacobi>(
        sums, cg_row(params, row, count), shared, write);
  else
    OwnedElements<kRank>{fresh_lane()}.for_each([&](int, int e) { write(e, 0); });
  const bool first = fresh_lane() == 0;
  store_if(first && p.steps != nullptr, p.steps + row, steps);
  store_if(first && p.status != nullptr, p.status + row, 0);
}

// The same with sums of bytes, whole ones or those of pieces.
template <int kRank, typename Element, bool kTolerance, bool kWarm, bool kJacobi, typename Params,
          typename Sums>
__device__ __forceinline__ void update_scaled_row(const Params& p, const Sums& sums, int row,
                                                  int count, float* shared, uint32_t* largest) {
  using Byte = BytesOf<Sums>;
  if constexpr (sizeof(Element) == 2) {
    update_row<kRank, Byte, Element, kTolerance, kWarm, kJacobi>(p, sums, row, count, shared,
                                                                 largest);
  } else {
    MmaSums<kRank> scaled;
    scale_sums<kRank>(scaled, sums);
    update_row<kRank, Byte, Element, kTolerance, kWarm, kJacobi>(p, scaled, row, count, shared,
                                                                 largest);
  }
}

}  // namespace alsbench
