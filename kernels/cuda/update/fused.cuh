// SPDX-License-Identifier: Apache-2.0
// A whole half-iteration in one kernel: a warp sums A_u and b_u of a row on tensor cores and solves
// by CG from the registers that hold the sums; A_u never reaches memory. Where a warp's registers
// do not hold the triangle, a block of warps does so. Beyond normal_equations/mma: the solver in
// place of the write, and of the solver's read. A persistent grid takes rows from a queue. Needs
// plan_rows before it and sum_pieces and fused_update_cut_rows after it, where rows are cut.
#pragma once

#include "kernels/cuda/mma/int8_warpgroup.cuh"
#include "kernels/cuda/mma/multiply.cuh"
#include "kernels/cuda/update/team_cg.cuh"

namespace alsbench {

template <int kRank, int kStages, int kWarps, int kBlocks, bool kL1, typename Factor,
          bool kTolerance, bool kWarm, typename Element, bool kJacobi = false,
          bool kWarpgroups = false>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    fused_update(const __grid_constant__ UpdateParams p) {
  constexpr MmaLayout kTiles = team_layout(kRank, kWarpgroups);
  constexpr int kTeam = mma_team(kTiles).warps;
  constexpr int kVectorsBytes = kTiles.vectors_bytes(kTeam, kJacobi);
  constexpr MmaLayout kLayout{kRank, kStages,        kWarps, kVectorsBytes,
                              kTeam, sizeof(Factor), 2,      kWarpgroups};
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory);
  auto* scales = reinterpret_cast<float*>(ring + kLayout.scales_at());
  auto* largest = reinterpret_cast<uint32_t*>(scales + kLayout.scales());
  if constexpr (kLayout.bytes()) {
    clear_largest<kRank>(largest);
    load_scales<kRank, kWarpgroups>(p, scales);
  }
  if constexpr (kTeam == 1) {
    ring += threadIdx.x / 32 * kLayout.warp_bytes();
    auto* vectors = reinterpret_cast<float*>(ring + kLayout.ring_bytes());
    if constexpr (kLayout.bytes()) {
      using Part = ByteTriangle<kRank, Factor>;
      multiply_rows<Part, Factor, kStages, kL1>(
          p, ring, [&](typename Part::Sums& sums, int row, int count) {
            update_scaled_row<kRank, Element, kTolerance, kWarm, kJacobi>(
                p, ScaledSums<Part::kTiles, SumOf<Factor>, Factor>{sums, scales}, row, count,
                vectors, largest);
          });
    } else {
      multiply_rows<WholeTriangle<kRank>, Factor, kStages, kL1>(
          p, ring, [&](const MmaSums<kRank>& sums, int row, int count) {
            update_row<kRank, Factor, Element, kTolerance, kWarm, kJacobi>(p, sums, row, count,
                                                                           vectors);
          });
    }
  } else {
    using Team = TeamPart<kRank, kWarpgroups>;
    auto* shared = reinterpret_cast<TeamVectors<Team>*>(ring + kLayout.ring_bytes());
    const int member = Team::member();
    using Part = TeamPartOf<kRank, Factor, kWarpgroups>;
    const auto update = [&](typename Part::Sums& sums, int row, int count) {
      update_row_by_team<Team, Factor, Element, kTolerance, kWarm, kJacobi>(
          p, sums, scales, member, row, count, *shared, largest);
    };
    if constexpr (kWarpgroups)
      multiply_rows_by_warpgroups<Part, kStages, kL1>(p, ring, update);
    else
      multiply_rows<Part, Factor, kStages, kL1>(p, ring, update);
  }
  if constexpr (kLayout.bytes()) keep_largest<kRank>(p, largest);
}

}  // namespace alsbench
