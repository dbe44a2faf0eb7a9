// SPDX-License-Identifier: Apache-2.0
// Last kernel of update/fused, after sum_pieces: solves the rows that were cut. Any grid.
#pragma once

#include "kernels/cuda/mma/byte_team.cuh"
#include "kernels/cuda/mma/sum.cuh"
#include "kernels/cuda/update/team_cg.cuh"

namespace alsbench {

template <int kRank, int kWarps, int kBlocks, typename Factor, bool kTolerance, bool kWarm,
          typename Element, bool kJacobi = false, bool kWarpgroups = false>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) fused_update_cut_rows(UpdateParams p) {
  constexpr MmaLayout kTiles = team_layout(kRank, kWarpgroups);
  constexpr int kTeam = mma_team(kTiles).warps;
  extern __shared__ float4 shared_memory[];
  auto* scales = reinterpret_cast<float*>(reinterpret_cast<char*>(shared_memory) +
                                          kWarps * kTiles.vectors_bytes(kTeam, kJacobi));
  auto* largest = reinterpret_cast<uint32_t*>(scales + kTiles.scales());
  if constexpr (sizeof(Factor) == 1) {
    clear_largest<kRank>(largest);
    load_scales<kRank, kWarpgroups>(p, scales);
  }
  if constexpr (kTeam == 1) {
    constexpr int kVectorsBytes = MmaLayout{kRank}.vectors_bytes(1, kJacobi);
    auto* vectors = reinterpret_cast<float*>(reinterpret_cast<char*>(shared_memory) +
                                             threadIdx.x / 32 * kVectorsBytes);
    if constexpr (sizeof(Factor) == 1) {
      finish_cut_rows<WholeTriangle<kRank>, kWarps>(
          p, [&](MmaSums<kRank>& sums, int row, int count) {
            update_scaled_row<kRank, Element, kTolerance, kWarm, kJacobi>(
                p, ScaledSums<MmaLayout{kRank}.tiles(), float, Factor>{sums, scales}, row, count,
                vectors, largest);
          });
    } else {
      finish_cut_rows<WholeTriangle<kRank>, kWarps>(
          p, [&](const MmaSums<kRank>& sums, int row, int count) {
            update_row<kRank, Factor, Element, kTolerance, kWarm, kJacobi>(p, sums, row, count,
                                                                           vectors);
          });
    }
  } else {
    using Part = TeamPart<kRank, kWarpgroups>;
    auto* shared = reinterpret_cast<TeamVectors<Part>*>(shared_memory);
    const int member = Part::member();
    finish_cut_rows<Part, kTeam>(p, [&](typename Part::Sums& sums, CutRowNumber row, int count) {
      update_row_by_team<Part, Factor, Element, kTolerance, kWarm, kJacobi>(
          p, sums, scales, member, row, count, *shared, largest);
    });
  }
  if constexpr (sizeof(Factor) == 1) keep_largest<kRank>(p, largest);
}

}  // namespace alsbench
