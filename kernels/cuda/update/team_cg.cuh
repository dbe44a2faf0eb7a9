// Conjugate gradients by a team of warps, the block, with A_u in shared memory: each warp stores
// its tensor-core sums there, and all run the same short loops over them. Code of each warp's own
// that multiplies from its registers, as tile_cg.cuh does, is more than the instruction cache
// holds. Used by the kernels of update/fused for ranks above 102.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/device/reduce.cuh"
#include "kernels/cuda/mma/team.cuh"
#include "kernels/cuda/update/solution.cuh"

namespace alsbench {

// What a team solves with: the beginning of the block's shared memory, of
// MmaLayout::solver_bytes(kTeam) a warp.
template <int kRank>
struct TeamSystem {
  static constexpr MmaLayout kLayout{kRank};
  static constexpr int kTeam = mma_team(kLayout).warps, kThreads = 32 * kTeam;
  static constexpr int kBlocks = kLayout.blocks();
  float4 matrix[MmaLayout::triangle(kBlocks)][16];  // A_u less lambda n_u; see block()
  float vector[8 * kBlocks];                        // zero from the rank on
  float product[8 * kBlocks];
  float4 sums[kTeam];
  float squares[kTeam];

  // Of A_u, 8 x 8 row by row; column <= row.
  __device__ __forceinline__ float4* block(int row, int column) {
    return matrix[MmaLayout::triangle(row) + column];
  }
};
template <int kRank>
__device__ __forceinline__ TeamSystem<kRank>& team_system() {
  extern __shared__ float4 shared_memory[];
  return *reinterpret_cast<TeamSystem<kRank>*>(shared_memory);
}

// Stores a warp's tiles, two blocks each. Those of the layout's column of tiles that is left over
// lie above the diagonal; they are stored mirrored.
template <int kRank, int kMember>
__device__ __forceinline__ void store_team_tiles(
    const typename TeamPart<kRank, kMember>::Sums& sums, TeamSystem<kRank>& system) {
  constexpr MmaLayout kLayout{kRank};
  constexpr MmaTeam kShares = mma_team(kLayout);
  constexpr int kBlocks = kLayout.blocks(), kPairs = kLayout.pairs();
  const int lane = fresh_lane();
  const auto store = [&](int row, int column, float first, float second) {
    if (row < kBlocks && column <= row)
      reinterpret_cast<float2*>(system.block(row, column))[lane] = {first, second};
  };
  const auto store_mirrored = [&](int row, int column, float first, float second) {
    if (row >= kBlocks) return;
    auto* target = reinterpret_cast<float*>(system.block(row, column)) + lane % 4 * 16 + lane / 4;
    target[0] = first, target[8] = second;
  };
  TeamPart<kRank, kMember>::for_rows(0, [&](int i, int first_tile) {
#pragma unroll
    for (int column = 0; column < 2 * (i + 1); ++column) {
      const float(&tile)[4] = sums[first_tile + column];
      store(2 * i, column, tile[0], tile[1]);
      store(2 * i + 1, column, tile[2], tile[3]);
    }
  });
  if constexpr (kLayout.has_rest()) {
    TeamPart<kRank, kMember>::for_rows(0, [&](int i, int first_tile) {
      const float(&tile)[4] = sums[first_tile + 2 * (i + 1)];
      store_mirrored(2 * kPairs, 2 * i, tile[0], tile[1]);
      store_mirrored(2 * kPairs, 2 * i + 1, tile[2], tile[3]);
    });
    if constexpr (kShares.owner[kPairs] == kMember) {
      const float(&corner)[4] = sums[kShares.first_tile[kPairs]];
      store(2 * kPairs, 2 * kPairs, corner[0], corner[1]);
    }
  }
}

// One warp's part of the solution: every kTeam-th block of 8 elements, a lane having element
// lane % 8 of every fourth of those.
template <int kRank>
struct TeamOwned {
  using System = TeamSystem<kRank>;
  static constexpr int kTeam = System::kTeam, kBlocks = System::kBlocks;
  static constexpr int kCount = ((kBlocks + kTeam - 1) / kTeam + 3) / 4;
  int warp, lane;

  template <typename Visit>
  __device__ __forceinline__ void for_each(Visit&& visit) const {
    const int first = 8 * (warp + lane / 8 * kTeam) + lane % 8;
#pragma unroll
    for (int q = 0; q < kCount; ++q)
      if (first + 32 * kTeam * q < kRank) visit(q, first + 32 * kTeam * q);
  }
};

// system.product = A_u v of the elements that the warp owns, v being system.vector. Each half of
// the warp takes every second block of a row of A_u: those left of the diagonal as they lie, those
// right of it mirrored. A lane has four neighbouring elements of a block, in an order such that the
// halves' reads meet no bank twice and sums over lanes end where the element is owned.
template <int kRank>
__device__ __forceinline__ void multiply_team(TeamSystem<kRank>& system, int warp, int lane) {
  constexpr unsigned kAll = 0xffffffffu;
  constexpr int kBlocks = TeamSystem<kRank>::kBlocks;
  const int half = lane / 16, part = lane / 4 % 2, row = lane / 8 % 2 * 4 + lane % 4;
  const float4* elements = &system.matrix[0][2 * row + part];
  const auto* columns = reinterpret_cast<const float4*>(system.vector) + part;
  const float* rows = system.vector + row;
#pragma unroll 1
  for (int i = warp; i < kBlocks; i += TeamSystem<kRank>::kTeam) {
    float direct[2] = {}, mirrored[4] = {};
    const float4* left = elements + 16 * MmaLayout::triangle(i);
#pragma unroll 4
    for (int first = 0; first <= i; first += 2) {
      const int j = first + half;
      if (j <= i) {
        const float4 a = left[16 * j], v = columns[2 * j];
        direct[0] = fmaf(a.x, v.x, direct[0]), direct[1] = fmaf(a.y, v.y, direct[1]);
        direct[0] = fmaf(a.z, v.z, direct[0]), direct[1] = fmaf(a.w, v.w, direct[1]);
      }
    }
    int at = MmaLayout::triangle(i + 1 + half) + i;
#pragma unroll 4
    for (int first = i + 1; first < kBlocks; first += 2) {
      const int j = first + half;
      if (j < kBlocks) {
        const float4 a = elements[16 * at];
        const float v = rows[8 * j];
        mirrored[0] = fmaf(a.x, v, mirrored[0]), mirrored[1] = fmaf(a.y, v, mirrored[1]);
        mirrored[2] = fmaf(a.z, v, mirrored[2]), mirrored[3] = fmaf(a.w, v, mirrored[3]);
      }
      at += 2 * j + 3;  // two rows further down
    }
    // A lane keeps the mirrored sum of column lane % 8, and gets the row of the same number.
    const bool odd = lane % 2 != 0, high = lane / 2 % 2 != 0;
    float a = odd ? mirrored[1] : mirrored[0], b = odd ? mirrored[3] : mirrored[2];
    a += __shfl_xor_sync(kAll, odd ? mirrored[0] : mirrored[1], 1);
    b += __shfl_xor_sync(kAll, odd ? mirrored[2] : mirrored[3], 1);
    float sum = (high ? b : a) + __shfl_xor_sync(kAll, high ? a : b, 2);
    const int from = half * 16 + part * 8 + row / 4 * 4 + lane % 4;
    sum += __shfl_sync(kAll, direct[0] + direct[1], from);
    sum += __shfl_xor_sync(kAll, sum, 8);
    sum += __shfl_xor_sync(kAll, sum, 16);
    if (lane < 8) system.product[8 * i + lane] = sum;
  }
  __syncwarp();
}

// Solves with a row that has ratings; A_u and, in system.vector, b_u stand in shared memory, after
// a barrier. The same algorithm as tile_cg.cuh. Gives write(e, x_e) the solution; returns the steps
// taken.
template <int kRank, int kSteps, uint32_t kToleranceBits, bool kWarm, typename Write>
__device__ __forceinline__ int solve_team(TeamSystem<kRank>& system, const TeamOwned<kRank>& owned,
                                          const float* start, float diagonal, Write&& write) {
  using System = TeamSystem<kRank>;
  constexpr int kOwned = TeamOwned<kRank>::kCount;
  float x[kOwned] = {}, r[kOwned] = {}, product[kOwned] = {};
  owned.for_each([&](int q, int e) {
    r[q] = system.vector[e];
    if (kWarm) x[q] = __ldcg(start + e);
  });
  auto square = [&] {
    float sum = 0;
    owned.for_each([&](int q, int) { sum = fmaf(r[q], r[q], sum); });
    return block_sum<System::kThreads>(sum, system.squares);
  };
  float rr = kWarm && kToleranceBits == 0 ? 0 : square();
  const float tolerance = __uint_as_float(kToleranceBits), stop = tolerance * tolerance * rr;
  if constexpr (kWarm) owned.for_each([&](int q, int e) { system.vector[e] = x[q]; });

  int step = kWarm ? -1 : 0;
  bool more = kWarm || (kSteps > 0 && !(rr <= stop));
#pragma unroll 1
  while (more) {
    __syncthreads();
    multiply_team<kRank>(system, owned.warp, owned.lane);
    owned.for_each(
        [&](int q, int e) { product[q] = fmaf(diagonal, system.vector[e], system.product[e]); });
    float alpha = 1, next = 0;
    if (step >= 0) {
      float curvature = 0, square_of_r = 0, r_product = 0, square_of_product = 0;
      owned.for_each([&](int q, int e) {
        curvature = fmaf(system.vector[e], product[q], curvature);
        square_of_r = fmaf(r[q], r[q], square_of_r);
        r_product = fmaf(r[q], product[q], r_product);
        square_of_product = fmaf(product[q], product[q], square_of_product);
      });
      warp_sums(curvature, square_of_r, r_product, square_of_product);
      if (owned.lane == 0)
        system.sums[owned.warp] = {curvature, square_of_r, r_product, square_of_product};
      __syncthreads();
      float4 sum = system.sums[0];
#pragma unroll
      for (int other = 1; other < System::kTeam; ++other) {
        const float4 part = system.sums[other];
        sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
      }
      if (sum.x <= 0) break;
      rr = sum.y;
      alpha = __fdividef(rr, sum.x);
      next = fmaf(alpha, fmaf(alpha, sum.w, -2 * sum.z), rr);
      owned.for_each([&](int q, int e) { x[q] = fmaf(alpha, system.vector[e], x[q]); });
    }
    owned.for_each([&](int q, int) { r[q] = fmaf(-alpha, product[q], r[q]); });
    ++step;
    if (step == kSteps) break;
    if (!(next > 1e-2f * rr)) next = square();
    const float beta = step == 0 ? 0.0f : __fdividef(next, rr);
    rr = next;
    more = !(rr <= stop);
    owned.for_each([&](int q, int e) {
      system.vector[e] = step == 0 ? r[q] : fmaf(beta, system.vector[e], r[q]);
    });
  }
  owned.for_each([&](int q, int e) { write(e, x[q]); });
  return step;
}

// Solves batch row `row`, whose A_u and b_u stand in shared memory, and writes its solution and its
// number of steps. A function of its own: there is one for all warps of the team.
template <int kRank, typename Factor, int kSteps, uint32_t kToleranceBits, bool kWarm>
__device__ __noinline__ void update_row_as_team(const UpdateParams& p, int row, int count) {
  TeamSystem<kRank>& system = team_system<kRank>();
  const TeamOwned<kRank> owned{static_cast<int>(threadIdx.x / 32),
                               static_cast<int>(threadIdx.x % 32)};
  const auto write = [&](int e, float value) { write_solution<Factor>(p, row, e, value); };
  int steps = 0;
  if (count > 0)
    steps = solve_team<kRank, kSteps, kToleranceBits, kWarm>(
        system, owned, solution_of(p, row), p.lambda * static_cast<float>(count), write);
  else
    owned.for_each([&](int, int e) { write(e, 0); });
  if (threadIdx.x != 0) return;
  if (p.steps != nullptr) p.steps[row] = steps;
  if (p.status != nullptr) p.status[row] = 0;
}

// The same from the team's sums; this is the part of warp kMember.
template <int kRank, int kMember, typename Factor, int kSteps, uint32_t kToleranceBits, bool kWarm>
__device__ __forceinline__ void update_row_as_member(
    const UpdateParams& p, const typename TeamPart<kRank, kMember>::Sums& sums, int row,
    int count) {
  TeamSystem<kRank>& system = team_system<kRank>();
  const int thread = 32 * kMember + fresh_lane();
  if constexpr (kWarm)
    for (int e = thread; e < kRank; e += TeamSystem<kRank>::kThreads)
      prefetch(solution_of(p, row) + e);
  __syncthreads();  // the row before may still be read
  if (count > 0) {
    store_team_tiles<kRank, kMember>(sums, system);
    write_team_bias<kRank, kMember>(sums, system.vector, inverse_power(p.ratings.half_scale));
    if (kRank + thread < 8 * TeamSystem<kRank>::kBlocks) system.vector[kRank + thread] = 0;
  }
  __syncthreads();
  update_row_as_team<kRank, Factor, kSteps, kToleranceBits, kWarm>(p, row, count);
}

}  // namespace alsbench
