// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients by a team of warps, the block, with A_u in their tensor-core sums: the
// algorithm of tile_cg.cuh. A thread owns few elements of the vectors; a step has three barriers:
// after the product, after the sums, and before the next product.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/device/reduce.cuh"
#include "kernels/cuda/mma/byte_team.cuh"
#include "kernels/cuda/update/row_half_product.cuh"
#include "kernels/cuda/update/team_half_product.cuh"
#include "kernels/cuda/update/tile_cg.cuh"

namespace alsbench {

// Multiplies by A_u of that storage.
template <typename Part, typename Element, typename Sums>
using TeamCgProduct = typename Choice<sizeof(Element) == 2,
                                      typename Choice<Part::kWarpgroups, RowHalfProduct<Part, Sums>,
                                                      TeamHalfProduct<Part, Sums>>::Type,
                                      TeamProduct<Part>>::Type;

// One more vector behind the shared ones: see MmaLayout::vectors_bytes.
template <bool kJacobi, typename Part>
__device__ __forceinline__ JacobiWeights<kJacobi> team_weights(TeamVectors<Part>& shared) {
  return {reinterpret_cast<float*>(&shared + 1)};
}

// A_u's diagonal, as far as this warp's rows of tiles have it; barriers are the caller's.
template <typename Part, typename Word>
__device__ __forceinline__ void put_diagonal(const Word (&sums)[Part::kTiles][4], int member,
                                             uint32_t target) {
  constexpr MmaTeam kShares = Part::kShares;
  Part::for_rounds(member, [&](int k, int row) {
#pragma unroll
    for (int j = 0; j < kShares.length(k); ++j) {
      if (j < kShares.row(k, Part::kTeam - 1) || j != row) continue;
      const auto* tiles = sums + kShares.first_tile(k) + 2 * j;
      put_block_diagonal<Part::kRank>(tiles[0], 0, 16 * row, target);
      put_block_diagonal<Part::kRank>(tiles[1], 1, 16 * row + 8, target);
    }
  });
  if (Part::kLayout.has_rest() && member == Part::kCornerOwner)
    put_block_diagonal<Part::kRank>(sums[kShares.corner()], 0, 16 * Part::kPairs, target);
}

// Four sums over the team. `partials` are TeamVectors::sums that no thread reads or writes between
// the previous barrier and this call. One barrier.
template <int kTeam>
__device__ __forceinline__ float4 team_sums(float4 own, int member, float4 (&partials)[kTeam]) {
  warp_sums(own.x, own.y, own.z, own.w);
  if (fresh_lane() == 0) partials[member] = own;
  __syncthreads();
  float4 sum = partials[0];
#pragma unroll
  for (int warp = 1; warp < kTeam; ++warp) {
    const float4 part = partials[warp];
    sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
  }
  return sum;
}

// Solves with the team's sums of a row of `count` ratings; before a barrier, b_u stands in
// shared.rows and A_u's diagonal where the weights will be. Gives write(e, x_e) the solution;
// returns the steps taken.
template <typename Part, typename Element, bool kTolerance, bool kWarm, bool kJacobi, typename Sums,
          typename Write>
__device__ __forceinline__ int solve_team(const CgRow& row, int count, Sums& sums, int member,
                                          TeamVectors<Part>& shared, Write&& write) {
  using Product = TeamCgProduct<Part, Element, Sums>;
  using Owned = typename Product::Owned;
  constexpr int kOwned = Owned::kCount;
  constexpr bool kPlainNorm = kTolerance && kJacobi;  // in addition to the weighted one: to stop at
  const bool first_lane = fresh_lane() == 0;
  const Owned owned(member);
  const auto weights = team_weights<kJacobi>(shared);
  float x[kOwned] = {}, r[kOwned] = {}, direction[kOwned] = {}, product[kOwned] = {};
  if constexpr (kWarm) owned.for_each([&](int q, int e) { x[q] = __ldcg(row.start + e); });

  float largest_sum = 0;  // of A_u, or more
  if constexpr (Product::kMeasures) {
    const float largest = warp_max(Product::largest(sums, member));
    largest_sum =
        team_sums(make_float4(first_lane ? largest : 0, 0, 0, 0), member, shared.sums[1]).x;
  }
  Product matrix(sums, shared, member, largest_sum, count);
  float4 squares_of_x = {};
  owned.for_each([&](int q, int) { squares_of_x.x = fmaf(x[q], x[q], squares_of_x.x); });
  // Of the direction, or more: none of its elements is greater than its length.
  float largest = sqrtf(team_sums(squares_of_x, member, shared.sums[0]).x);
  if constexpr (Product::kByRows) matrix.load();
  if constexpr (kJacobi) make_weights(owned, row.diagonal, scales_of(sums), weights.of);
  owned.for_each([&](int q, int e) {
    r[q] = shared.rows[e] * row.bias_scale;
    if constexpr (kIsScaled<Sums>) r[q] *= scales_of(sums)[e];
  });

  float max_weight = 1;
  // The residuals' squares, weighted and plain, in a reduction of their own.
  const auto squares = [&] {
    float4 own = {};
    float weight = 0;
    owned.for_each([&](int q, int e) {
      own.x = fmaf(r[q], weights.times(r[q], e), own.x);
      if constexpr (kTolerance) own.y = fmaf(r[q], r[q], own.y);
      weight = fmaxf(weight, weights.times(1, e));
    });
    if constexpr (kJacobi) {
      weight = warp_max(weight);
      own.z = first_lane ? weight : 0;
    }
    const float4 sums_of_team = team_sums(own, member, shared.sums[1]);
    if constexpr (kJacobi) max_weight = sums_of_team.z;
    return sums_of_team;
  };
  // No element of W r is greater, of which r^T W r is given.
  const auto largest_of = [&](float weighted) { return sqrtf(max_weight * weighted); };
  float rr = 0, stop = 0;
  int step = kWarm ? -1 : 0;
  bool more = kWarm || row.steps > 0;
  if (kTolerance || !kWarm) {
    const float4 first = squares();
    stop = row.tolerance * row.tolerance * first.y;
    if (!kWarm) {
      rr = first.x, largest = largest_of(rr);
      more = more && !((kTolerance ? first.y : rr) <= stop);
    }
  }
  owned.for_each([&](int q, int e) { direction[q] = kWarm ? x[q] : weights.times(r[q], e); });

  // Step -1 multiplies the start: what it leaves of b is the first residual and direction.
#pragma unroll 1
  while (more) {
    owned.for_each([&](int q, int e) { matrix.put(e, direction[q], largest); });
    matrix.begin(largest);
    __syncthreads();
    matrix.multiply();
    if constexpr (!Product::kByRows) __syncthreads();
    float alpha = 1, next = 0;
    CgStep own_step;
    owned.for_each([&](int q, int e) {
      product[q] = fmaf(row.diagonal, direction[q], matrix.result(q, e));
      own_step.add(direction[q], r[q], product[q], weights, e);
    });
    if (step >= 0) {
      const float4 all = team_sums({own_step.curvature, own_step.residual,
                                    own_step.residual_product, own_step.square_of_product},
                                   member, shared.sums[0]);
      const CgStep sums_of_step{all.x, all.y, all.z, all.w};
      if (sums_of_step.curvature <= 0) break;
      rr = sums_of_step.residual;
      alpha = __fdividef(rr, sums_of_step.curvature);
      next = sums_of_step.next_residual(alpha);
      owned.for_each([&](int q, int) { x[q] = fmaf(alpha, direction[q], x[q]); });
    }
    owned.for_each([&](int q, int) { r[q] = fmaf(-alpha, product[q], r[q]); });
    ++step;
    if (step == row.steps) break;
    // Where most digits cancel it is summed; also at the start, and where it is NaN.
    float plain = next;
    if (kPlainNorm || !(next > 1e-2f * rr)) {
      const float4 summed = squares();
      next = summed.x, plain = kPlainNorm ? summed.y : next;
    }
    const float beta = step == 0 ? 0.0f : __fdividef(next, rr);
    rr = next;
    largest = fmaf(beta, largest, largest_of(next));
    // Written so that a NaN goes on and shows in x.
    more = !(plain <= stop);
    owned.for_each([&](int q, int e) {
      const float z = weights.times(r[q], e);
      direction[q] = step == 0 ? z : fmaf(beta, direction[q], z);
    });
  }
  owned.for_each([&](int q, int e) { write(e, x[q]); });
  return step;
}

// Solves batch row `row`, the part of warp `member`, and writes its solution and its number of
// steps. `Sums` are floats or scaled; `largest`: as of update_row.
template <typename Part, typename Factor, typename Element, bool kTolerance, bool kWarm,
          bool kJacobi, typename Sums, typename Row>
__device__ __forceinline__ void solve_row_by_team(const UpdateParams& p, Sums& sums, int member,
                                                  Row row, int count, TeamVectors<Part>& shared,
                                                  [[maybe_unused]] uint32_t* largest) {
  constexpr int kThreads = TeamVectors<Part>::kThreads;
  constexpr int kPadded = sizeof(shared.vector) / sizeof(float);
  const auto write = [&](int e, float value) {
    if constexpr (sizeof(Factor) == 1)
      write_measured(p, row, e, value, largest);
    else
      write_solution<Factor>(p, row, e, value);
  };
  const int thread = 32 * member + fresh_lane();
  int steps = 0;
  __syncthreads();  // the row before may still be read
  for (int e = thread; e < kPadded; e += kThreads) shared.vector[e] = 0;
  if (count > 0) {
    write_team_bias<Part, BytesOf<Sums>>(tiles_of(sums), member, shared.rows, 1.0f);
    if constexpr (kJacobi)
      put_diagonal<Part>(tiles_of(sums), member, shared_address(team_weights<kJacobi>(shared).of));
    steps = solve_team<Part, Element, kTolerance, kWarm, kJacobi>(cg_row(p, row, count), count,
                                                                  sums, member, shared, write);
  } else {
    for (int e = thread; e < Part::kRank; e += kThreads) write(e, 0);
  }
  store_if(thread == 0 && p.steps != nullptr, p.steps + int{row}, steps);
  store_if(thread == 0 && p.status != nullptr, p.status + int{row}, 0);
}

// The same with sums of factors of any type: of bytes, any of them or those of pieces, which become
// A_u's where it is kept in FP32. `scales`: as of load_scales; `largest`: as of update_row.
template <typename Part, typename Factor, typename Element, bool kTolerance, bool kWarm,
          bool kJacobi, typename Word, typename Row>
__device__ __forceinline__ void update_row_by_team(const UpdateParams& p,
                                                   Word (&sums)[Part::kTiles][4],
                                                   const float* scales, int member, Row row,
                                                   int count, TeamVectors<Part>& shared,
                                                   uint32_t* largest) {
  if constexpr (sizeof(Factor) > 1) {
    solve_row_by_team<Part, Factor, Element, kTolerance, kWarm, kJacobi>(p, sums, member, row,
                                                                         count, shared, largest);
  } else if constexpr (sizeof(Element) == 2) {
    ScaledSums<Part::kTiles, Word, Factor> scaled{sums, scales};
    solve_row_by_team<Part, Factor, Element, kTolerance, kWarm, kJacobi>(p, scaled, member, row,
                                                                         count, shared, largest);
  } else {
    typename Part::Sums scaled;
    scale_team_sums<Part>(scaled, sums, scales, member);
    solve_row_by_team<Part, Factor, Element, kTolerance, kWarm, kJacobi>(p, scaled, member, row,
                                                                         count, shared, largest);
  }
}

}  // namespace alsbench
