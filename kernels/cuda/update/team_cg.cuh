// Conjugate gradients by a team of warps, the block, with A_u in their tensor-core sums: as
// tile_cg.cuh, but what one warp's rows of tiles give for the others' elements passes through
// shared memory. Used by the kernels of update/fused for ranks above 102.
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

template <int kRank, int kMember>
struct TeamProduct {
  using Part = TeamPart<kRank, kMember>;
  static constexpr MmaLayout kLayout{kRank};
  static constexpr int kPairs = kLayout.pairs();

  TeamVectors<kRank>& shared;
  int lane;

  // Sum over the four lanes of a row, to the product.
  __device__ __forceinline__ void keep_row(float sum, int first_row) const {
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    if (lane % 4 == 0) shared.rows[first_row + lane / 4] = sum;
  }

  // This warp's part of A v, v being shared.vector; barriers are the caller's.
  __device__ __forceinline__ void multiply(const typename Part::Sums& sums) const {
    constexpr MmaTeam kShares = mma_team(kLayout);
    const int group = lane / 4;
    const auto* columns = reinterpret_cast<const float2*>(shared.vector) + lane % 4;
    float* mirrored = shared.mirrored[kMember];
    float low[Part::kLastRow + 1] = {}, high[Part::kLastRow + 1] = {};
#pragma unroll
    for (int j = 0; j <= Part::kLastRow; ++j) {
      const float2 c0 = columns[8 * j], c1 = columns[8 * j + 4];
      float mirror[4] = {};
      Part::for_rows(j, [&](int i, int tile) {
        add_rows(low[i], high[i], sums[tile + 2 * j], c0);
        add_rows(low[i], high[i], sums[tile + 2 * j + 1], c1);
        if (i == j) return;
        const float a = shared.vector[16 * i + group], b = shared.vector[16 * i + 8 + group];
        add_columns(mirror[0], mirror[1], sums[tile + 2 * j], a, b);
        add_columns(mirror[2], mirror[3], sums[tile + 2 * j + 1], a, b);
      });
      if (j < Part::kLastRow) keep_pair(lane, mirror, mirrored + 16 * j);
    }
    if constexpr (kLayout.has_rest()) {
      const float2 c = columns[8 * kPairs];
      float first = 0, second = 0;
      Part::for_rows(0, [&](int i, int tile) {
        const float(&rest)[4] = sums[tile + 2 * (i + 1)];
        add_rows(low[i], high[i], rest, c);
        add_columns(first, second, rest, shared.vector[16 * i + group],
                    shared.vector[16 * i + 8 + group]);
      });
      keep_single(lane, first, second, mirrored + 16 * kPairs);
      if constexpr (kShares.owner[kPairs] == kMember) {
        const float(&corner)[4] = sums[kShares.first_tile[kPairs]];
        keep_row(fmaf(corner[0], c.x, corner[1] * c.y), 16 * kPairs);
      }
    }
    Part::for_rows(0, [&](int i, int) {
      keep_row(low[i], 16 * i);
      keep_row(high[i], 16 * i + 8);
    });
  }
};

// Solves with the team's sums of a row that has ratings; b_u stands in shared.vector, after a
// barrier. Gives write(e, x_e) the solution; returns the steps taken.
template <int kRank, int kMember, bool kTolerance, bool kWarm, typename Write>
__device__ __forceinline__ int solve_team(const UpdateParams& p,
                                          const typename TeamPart<kRank, kMember>::Sums& sums,
                                          const float* start, float diagonal,
                                          TeamVectors<kRank>& shared, Write&& write) {
  constexpr int kTeam = TeamVectors<kRank>::kTeam, kThreads = TeamVectors<kRank>::kThreads;
  constexpr int kOwned = TeamOwned<kRank>::kCount;
  const int thread = 32 * kMember + fresh_lane();
  const TeamProduct<kRank, kMember> matrix{shared, thread % 32};
  const TeamOwned<kRank> owned{thread};
  float x[kOwned] = {}, r[kOwned] = {}, product[kOwned] = {};
  owned.for_each([&](int q, int e) {
    r[q] = shared.vector[e];
    if (kWarm) x[q] = __ldcg(start + e);
  });
  auto square = [&](int place) {
    float sum = 0;
    owned.for_each([&](int q, int) { sum = fmaf(r[q], r[q], sum); });
    return block_sum<kThreads, true>(sum, shared.sums[place]);
  };
  float stop = 0;
  if constexpr (kTolerance) stop = p.plan.cg_tolerance * p.plan.cg_tolerance * square(0);
  float rr = kWarm ? 0 : square(1);
  if constexpr (kWarm) owned.for_each([&](int q, int e) { shared.vector[e] = x[q]; });

  int step = kWarm ? -1 : 0;
  bool more = kWarm || (p.plan.cg_steps > 0 && !(rr <= stop));
#pragma unroll 1
  while (more) {
    sync_apart<kThreads>();
    matrix.multiply(sums);
    sync_apart<kThreads>();
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
      const float curvature = block_sum<kThreads, true>(local, shared.sums[0]);
      if (curvature <= 0) break;
      alpha = __fdividef(rr, curvature);
      owned.for_each([&](int q, int e) { x[q] = fmaf(alpha, shared.vector[e], x[q]); });
    }
    owned.for_each([&](int q, int) { r[q] = fmaf(-alpha, product[q], r[q]); });
    ++step;
    if (step == p.plan.cg_steps) break;
    const float next = square(1);
    const float beta = step == 0 ? 0.0f : __fdividef(next, rr);
    rr = next;
    more = !(rr <= stop);
    owned.for_each([&](int q, int e) {
      shared.vector[e] = step == 0 ? r[q] : fmaf(beta, shared.vector[e], r[q]);
    });
  }
  owned.for_each([&](int q, int e) { write(e, x[q]); });
  return step;
}

// Solves batch row `row`, this warp's part, and writes its solution and its number of steps.
template <int kRank, int kMember, typename Factor, bool kTolerance, bool kWarm>
__device__ __forceinline__ void update_row_as_member(
    const UpdateParams& p, const typename TeamPart<kRank, kMember>::Sums& sums, int row, int count,
    TeamVectors<kRank>& shared) {
  constexpr int kThreads = TeamVectors<kRank>::kThreads, kColumns = TeamVectors<kRank>::kColumns;
  const auto write = [&](int e, float value) { write_solution<Factor>(p, row, e, value); };
  const int thread = 32 * kMember + fresh_lane();
  int steps = 0;
  sync_apart<kThreads>();  // the row before may still be read
  for (int e = thread; e < kColumns; e += kThreads) {
    if (e >= kRank) shared.vector[e] = 0;
    for (int warp = 0; warp < TeamVectors<kRank>::kTeam; ++warp) shared.mirrored[warp][e] = 0;
  }
  if (count > 0) {
    write_team_bias<kRank, kMember>(sums, shared.vector, inverse_power(p.ratings.half_scale));
    sync_apart<kThreads>();
    steps = solve_team<kRank, kMember, kTolerance, kWarm>(
        p, sums, solution_of(p, row), p.lambda * static_cast<float>(count), shared, write);
  } else {
    for (int e = thread; e < kRank; e += kThreads) write(e, 0);
  }
  if (thread != 0) return;
  if (p.steps != nullptr) p.steps[row] = steps;
  if (p.status != nullptr) p.status[row] = 0;
}

}  // namespace alsbench
