// SPDX-License-Identifier: Apache-2.0
// Conjugate gradients by a team of warps, the block, with A_u in their tensor-core sums: as
// tile_cg.cuh, but what one warp's rows of tiles give for the others' elements passes through
// shared memory.
#pragma once

#include "kernels/cuda/device/reduce.cuh"
#include "kernels/cuda/mma/team.cuh"
#include "kernels/cuda/update/tile_cg.cuh"

namespace alsbench {

// The shared memory that a team solves with.
template <int kRank>
struct TeamVectors {
  static constexpr int kTeam = mma_team(MmaLayout{kRank}).warps, kThreads = 32 * kTeam;
  static constexpr int kColumns = MmaLayout{kRank}.columns();
  float vector[kColumns];           // zero from the rank on
  float rows[kColumns];             // of a product: each by the warp that has the row of tiles
  float mirrored[kTeam][kColumns];  // the same from mirrored tiles, by warp
  float sums[2][kTeam];
};

// One more vector behind those: see MmaLayout::vectors_bytes.
template <bool kJacobi, int kRank>
__device__ __forceinline__ JacobiWeights<kJacobi> team_weights(TeamVectors<kRank>& shared) {
  return {reinterpret_cast<float*>(&shared + 1)};
}

// A_u's diagonal, as far as this warp's rows of tiles have it; barriers are the caller's.
template <int kRank>
__device__ __forceinline__ void put_diagonal(const typename TeamPart<kRank>::Sums& sums, int member,
                                             uint32_t target) {
  using Part = TeamPart<kRank>;
  constexpr MmaTeam kShares = Part::kShares;
  Part::for_rounds(member, [&](int k, int row) {
#pragma unroll
    for (int j = 0; j < kShares.length(k); ++j) {
      if (j < kShares.row(k, Part::kTeam - 1) || j != row) continue;
      const float(*tiles)[4] = sums + kShares.first_tile(k) + 2 * j;
      put_block_diagonal<kRank>(tiles[0], 0, 16 * row, target);
      put_block_diagonal<kRank>(tiles[1], 1, 16 * row + 8, target);
    }
  });
  if (Part::kLayout.has_rest() && member == Part::kCornerOwner)
    put_block_diagonal<kRank>(sums[kShares.corner()], 0, 16 * Part::kPairs, target);
}

// Elements of a vector that a thread of the team owns.
template <int kRank>
struct TeamOwned {
  static constexpr int kThreads = TeamVectors<kRank>::kThreads;
  static constexpr int kCount = (kRank + kThreads - 1) / kThreads;
  int thread;

  template <typename Visit>
  __device__ __forceinline__ void for_each(Visit&& visit) const {
#pragma unroll
    for (int q = 0; q < kCount; ++q)
      if (thread + q * kThreads < kRank) visit(q, thread + q * kThreads);
  }
};

template <int kRank>
struct TeamProduct {
  using Part = TeamPart<kRank>;
  static constexpr MmaLayout kLayout{kRank};
  static constexpr int kPairs = kLayout.pairs();

  TeamVectors<kRank>& shared;
  int member, lane;

  // Sum over the four lanes of a row, to the product.
  __device__ __forceinline__ void keep_row(float sum, int first_row) const {
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    if (lane % 4 == 0) shared.rows[first_row + lane / 4] = sum;
  }

  // This warp's part of A v, v being shared.vector and the sums trimmed; barriers are the caller's.
  __device__ __forceinline__ void multiply(const typename Part::Sums& sums) const {
    constexpr MmaTeam kShares = Part::kShares;
    constexpr int kRounds = Part::kRounds;
    const int group = lane / 4;
    const auto* columns = reinterpret_cast<const float2*>(shared.vector) + lane % 4;
    float* mirrored = shared.mirrored[member];
    // v at this lane's rows; what the rows give for them.
    float v_low[kRounds], v_high[kRounds], low[kRounds] = {}, high[kRounds] = {};
    Part::for_rounds(member, [&](int k, int row) {
      const float* own = shared.vector + 16 * (row > 0 ? row : 0) + group;
      v_low[k] = own[0], v_high[k] = own[8];
    });
#pragma unroll
    for (int j = 0; j < kPairs; ++j) {
      const float2 c0 = columns[8 * j], c1 = columns[8 * j + 4];
      float mirror[4] = {};
      Part::for_rounds(member, [&](int k, int row) {
        if (j >= kShares.length(k)) return;
        const float(*tiles)[4] = sums + kShares.first_tile(k) + 2 * j;
        add_rows(low[k], high[k], tiles[0], c0);
        add_rows(low[k], high[k], tiles[1], c1);
        // Left of the diagonal; where every warp's row may be the diagonal's, it is a question.
        const bool mirrors = j < kShares.row(k, Part::kTeam - 1) || j != row;
        const float a = mirrors ? v_low[k] : 0.0f, b = mirrors ? v_high[k] : 0.0f;
        add_columns(mirror[0], mirror[1], tiles[0], a, b);
        add_columns(mirror[2], mirror[3], tiles[1], a, b);
      });
      if (j + 1 < kPairs) keep_pair(lane, mirror, mirrored + 16 * j);
    }
    if constexpr (kLayout.has_rest()) {
      const float2 c = columns[8 * kPairs];
      float first = 0, second = 0;
#pragma unroll
      for (int k = 0; k < kRounds; ++k) {
        const float(&rest)[4] = sums[kShares.rest_tile(k)];
        add_rows(low[k], high[k], rest, c);
        add_columns(first, second, rest, v_low[k], v_high[k]);
      }
      keep_single(lane, first, second, mirrored + 16 * kPairs);
      if (member == Part::kCornerOwner) {
        const float(&corner)[4] = sums[kShares.corner()];
        keep_row(fmaf(corner[0], c.x, corner[1] * c.y), 16 * kPairs);
      }
    }
    Part::for_rounds(member, [&](int k, int row) {
      if (row < 0) return;
      keep_row(low[k], 16 * row);
      keep_row(high[k], 16 * row + 8);
    });
  }
};

// Solves with the team's sums of a row that has ratings; b_u stands in shared.vector, after a
// barrier. Gives write(e, x_e) the solution; returns the steps taken.
template <int kRank, bool kTolerance, bool kWarm, bool kJacobi, typename Write>
__device__ __forceinline__ int solve_team(const UpdateParams& p,
                                          const typename TeamPart<kRank>::Sums& sums, int member,
                                          const float* start, float diagonal,
                                          TeamVectors<kRank>& shared, Write&& write) {
  constexpr int kTeam = TeamVectors<kRank>::kTeam, kThreads = TeamVectors<kRank>::kThreads;
  constexpr int kOwned = TeamOwned<kRank>::kCount;
  const int thread = 32 * member + fresh_lane();
  const TeamProduct<kRank> matrix{shared, member, thread % 32};
  const TeamOwned<kRank> owned{thread};
  const auto weights = team_weights<kJacobi>(shared);
  if constexpr (kJacobi) make_weights(owned, diagonal, nullptr, weights.of);
  float x[kOwned] = {}, r[kOwned] = {}, product[kOwned] = {};
  owned.for_each([&](int q, int e) {
    r[q] = shared.vector[e];
    if (kWarm) x[q] = __ldcg(start + e);
  });
  auto square = [&] {
    float sum = 0;
    owned.for_each([&](int q, int) { sum = fmaf(r[q], r[q], sum); });
    return block_sum<kThreads>(sum, shared.sums[0]);
  };
  auto weighted_square = [&] {
    float sum = 0;
    owned.for_each([&](int q, int e) { sum = fmaf(r[q], weights.times(r[q], e), sum); });
    return block_sum<kThreads>(sum, shared.sums[1]);
  };
  float stop = 0;
  if constexpr (kTolerance) stop = p.plan.cg_tolerance * p.plan.cg_tolerance * square();
  float rr = kWarm ? 0 : weighted_square();
  constexpr bool kPlainNorm = kTolerance && kJacobi;  // beside the weighted one: to stop at
  if constexpr (kWarm || kJacobi)
    owned.for_each([&](int q, int e) { shared.vector[e] = kWarm ? x[q] : weights.times(r[q], e); });

  int step = kWarm ? -1 : 0;
  bool more = kWarm || (p.plan.cg_steps > 0 && !((kPlainNorm ? square() : rr) <= stop));
#pragma unroll 1
  while (more) {
    __syncthreads();
    matrix.multiply(sums);
    __syncthreads();
    owned.for_each([&](int q, int e) {
      float sum = fmaf(diagonal, shared.vector[e], shared.rows[e]);
#pragma unroll
      for (int warp = 0; warp < kTeam; ++warp) sum += shared.mirrored[warp][e];
      product[q] = sum;
    });
    float alpha = 1;
    if (step >= 0) {
      float local = 0;
      owned.for_each([&](int q, int e) { local = fmaf(shared.vector[e], product[q], local); });
      const float curvature = block_sum<kThreads>(local, shared.sums[0]);
      if (curvature <= 0) break;
      alpha = __fdividef(rr, curvature);
      owned.for_each([&](int q, int e) { x[q] = fmaf(alpha, shared.vector[e], x[q]); });
    }
    owned.for_each([&](int q, int) { r[q] = fmaf(-alpha, product[q], r[q]); });
    ++step;
    if (step == p.plan.cg_steps) break;
    const float next = weighted_square();
    const float beta = step == 0 ? 0.0f : __fdividef(next, rr);
    rr = next;
    more = !((kPlainNorm ? square() : rr) <= stop);
    owned.for_each([&](int q, int e) {
      const float z = weights.times(r[q], e);
      shared.vector[e] = step == 0 ? z : fmaf(beta, shared.vector[e], z);
    });
  }
  owned.for_each([&](int q, int e) { write(e, x[q]); });
  return step;
}

// Solves batch row `row`, the part of warp `member`, and writes its solution and its number of
// steps.
template <int kRank, typename Factor, bool kTolerance, bool kWarm, bool kJacobi>
__device__ __forceinline__ void update_row_by_team(const UpdateParams& p,
                                                   typename TeamPart<kRank>::Sums& sums, int member,
                                                   int row, int count, TeamVectors<kRank>& shared) {
  constexpr int kThreads = TeamVectors<kRank>::kThreads, kColumns = TeamVectors<kRank>::kColumns;
  const auto write = [&](int e, float value) { write_solution<Factor>(p, row, e, value); };
  const int thread = 32 * member + fresh_lane();
  int steps = 0;
  __syncthreads();  // the row before may still be read
  for (int e = thread; e < kColumns; e += kThreads) {
    if (e >= kRank) shared.vector[e] = 0;
    for (int warp = 0; warp < TeamVectors<kRank>::kTeam; ++warp) shared.mirrored[warp][e] = 0;
  }
  const float diagonal = p.lambda * static_cast<float>(count);
  if (count > 0) {
    write_team_bias<kRank>(sums, member, shared.vector, inverse_power(p.ratings.half_scale));
    if constexpr (kJacobi)
      put_diagonal<kRank>(sums, member, shared_address(team_weights<kJacobi>(shared).of));
    __syncthreads();
    TeamPart<kRank>::trim(sums, member);
    steps = solve_team<kRank, kTolerance, kWarm, kJacobi>(p, sums, member, solution_of(p, row),
                                                          diagonal, shared, write);
  } else {
    for (int e = thread; e < kRank; e += kThreads) write(e, 0);
  }
  if (thread != 0) return;
  if (p.steps != nullptr) p.steps[row] = steps;
  if (p.status != nullptr) p.status[row] = 0;
}

}  // namespace alsbench
