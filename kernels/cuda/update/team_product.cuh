// SPDX-License-Identifier: Apache-2.0
// The products A_u p of conjugate gradients by a team of warps, the block, with A_u in their
// tensor-core sums: as tile_product.cuh, but what one warp's rows of tiles give for the others'
// elements passes through shared memory.
#pragma once

#include "kernels/cuda/mma/team.cuh"
#include "kernels/cuda/update/tile_product.cuh"

namespace alsbench {

// A_u in shared memory, where a team has it there.
template <int kBlocks>
struct TeamMatrix {
  uint4 blocks[kBlocks][MmaLayout::kMatrixBlockBytes / sizeof(uint4)];
};
template <>
struct TeamMatrix<0> {};

// The shared memory that a team solves with.
template <typename Part>
struct TeamVectors : TeamMatrix<Part::kLayout.matrix_blocks()> {
  static constexpr int kTeam = Part::kTeam, kThreads = 32 * kTeam;
  static constexpr int kColumns = Part::kLayout.columns();
  float vector[(kColumns + 31) / 32 * 32];  // zero from the rank on
  float rows[kColumns];             // of a product: each by the warp that has the row of tiles
  float mirrored[kTeam][kColumns];  // the same from mirrored tiles, by warp
  float4 sums[2][kTeam];
};

// Elements of a vector that a thread of the team owns.
template <typename Part>
struct TeamOwned {
  static constexpr int kThreads = TeamVectors<Part>::kThreads;
  static constexpr int kCount = (Part::kRank + kThreads - 1) / kThreads;
  int thread;

  __device__ __forceinline__ explicit TeamOwned(int member) : thread(32 * member + fresh_lane()) {}

  template <typename Visit>
  __device__ __forceinline__ void for_each(Visit&& visit) const {
#pragma unroll
    for (int q = 0; q < kCount; ++q)
      if (thread + q * kThreads < Part::kRank) visit(q, thread + q * kThreads);
  }
};

// The element e of a product, after a barrier.
template <typename Part>
__device__ __forceinline__ float team_sum(const TeamVectors<Part>& shared, int e) {
  constexpr MmaLayout kLayout = Part::kLayout;
  constexpr int kLast = 16 * (kLayout.pairs() - 1), kRest = 16 * kLayout.pairs();
  float sum = shared.rows[e];
  if (e >= kLast && e < kRest) return sum;  // no tile is mirrored to the last pair
#pragma unroll
  for (int warp = 0; warp < TeamVectors<Part>::kTeam; ++warp) sum += shared.mirrored[warp][e];
  return sum;
}

template <typename Part>
class TeamProduct {
  static constexpr MmaLayout kLayout = Part::kLayout;
  static constexpr int kPairs = kLayout.pairs();

 public:
  using Owned = TeamOwned<Part>;
  static constexpr bool kMeasures = false;
  static constexpr bool kByRows = false;
  static __device__ __forceinline__ float largest(const typename Part::Sums&, int) { return 0; }
  __device__ __forceinline__ TeamProduct(typename Part::Sums& sums, TeamVectors<Part>& shared,
                                         int member, float, int)
      : sums_(sums), shared_(shared), member_(member), lane_(fresh_lane()) {
    Part::trim(sums, member);
  }

  // Element e of the vector to multiply by; `largest` is that of all or more.
  __device__ __forceinline__ void put(int e, float value, float) { shared_.vector[e] = value; }
  __device__ __forceinline__ void begin(float) {}
  // Element e of the product, a thread's q-th, after a barrier.
  __device__ __forceinline__ float result(int, int e) const { return team_sum(shared_, e); }

  // This warp's part of A v, to the shared vectors; barriers are the caller's.
  __device__ __forceinline__ void multiply() const {
    constexpr MmaTeam kShares = Part::kShares;
    constexpr int kRounds = Part::kRounds;
    const int group = lane_ / 4;
    const auto* columns = reinterpret_cast<const float2*>(shared_.vector) + lane_ % 4;
    float* mirrored = shared_.mirrored[member_];
    // v at this lane's rows; what the rows give for them.
    float v_low[kRounds], v_high[kRounds], low[kRounds] = {}, high[kRounds] = {};
    Part::for_rounds(member_, [&](int k, int row) {
      const float* own = shared_.vector + 16 * (row > 0 ? row : 0) + group;
      v_low[k] = own[0], v_high[k] = own[8];
    });
#pragma unroll
    for (int j = 0; j < kPairs; ++j) {
      const float2 c0 = columns[8 * j], c1 = columns[8 * j + 4];
      float mirror[4] = {};
      Part::for_rounds(member_, [&](int k, int row) {
        if (j >= kShares.length(k)) return;
        const float(*tiles)[4] = sums_ + kShares.first_tile(k) + 2 * j;
        add_rows(low[k], high[k], tiles[0], c0);
        add_rows(low[k], high[k], tiles[1], c1);
        // Left of the diagonal; where every warp's row may be the diagonal's, it is a question.
        const bool mirrors = j < kShares.row(k, Part::kTeam - 1) || j != row;
        const float a = mirrors ? v_low[k] : 0.0f, b = mirrors ? v_high[k] : 0.0f;
        add_columns(mirror[0], mirror[1], tiles[0], a, b);
        add_columns(mirror[2], mirror[3], tiles[1], a, b);
      });
      if (j + 1 < kPairs) keep_pair(lane_, mirror, mirrored + 16 * j);
    }
    if constexpr (kLayout.rest_has_features()) {
      const float2 c = columns[8 * kPairs];
      float first = 0, second = 0;
#pragma unroll
      for (int k = 0; k < kRounds; ++k) {
        const float(&rest)[4] = sums_[kShares.rest_tile(k)];
        add_rows(low[k], high[k], rest, c);
        add_columns(first, second, rest, v_low[k], v_high[k]);
      }
      keep_single(lane_, first, second, mirrored + 16 * kPairs);
      if (member_ == Part::kCornerOwner) {
        const float(&corner)[4] = sums_[kShares.corner()];
        keep_row(fmaf(corner[0], c.x, corner[1] * c.y), 16 * kPairs);
      }
    }
    Part::for_rounds(member_, [&](int k, int row) {
      if (row < 0) return;
      keep_row(low[k], 16 * row);
      keep_row(high[k], 16 * row + 8);
    });
  }

 private:
  // Sum over the four lanes of a row, to the product.
  __device__ __forceinline__ void keep_row(float sum, int first_row) const {
    sum += __shfl_xor_sync(0xffffffffu, sum, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    if (lane_ % 4 == 0) shared_.rows[first_row + lane_ / 4] = sum;
  }

  const typename Part::Sums& sums_;
  TeamVectors<Part>& shared_;
  int member_, lane_;
};

}  // namespace alsbench
