// SPDX-License-Identifier: Apache-2.0
// A_u and b_u in one pass over the ratings on tensor cores: a warp a row of ratings, or a piece of
// a long one; where a warp's registers do not hold the triangle, a block of warps. A persistent
// grid takes rows from a queue. Needs plan_rows before it, and sum_pieces and
// mma_write_cut_rows after it, where rows are cut.
#pragma once

#include "kernels/cuda/mma/int8_warpgroup.cuh"
#include "kernels/cuda/normal_equations/mma_write.cuh"
#include "kernels/cuda/normal_equations/team_write.cuh"

namespace alsbench {

template <int kRank, int kStages, int kWarps, int kBlocks, bool kL1, typename Factor,
          MmaPhase kPhase, typename Output>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) mma_multiply(UpdateParams p) {
  constexpr int kTeam = mma_team(MmaLayout{kRank}).warps;
  constexpr MmaLayout kLayout{
      kRank, kStages, kWarps, mma_strip_bytes(kRank, sizeof(Output), kTeam), kTeam, sizeof(Factor)};
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory);
  auto* scales = reinterpret_cast<float*>(ring + kLayout.scales_at());
  if constexpr (kLayout.bytes()) load_scales<kRank>(p, scales);
  if constexpr (kTeam == 1) {
    ring += threadIdx.x / 32 * kLayout.warp_bytes();
    auto* strip = reinterpret_cast<Output*>(ring + kLayout.ring_bytes());
    const auto write = [&](const MmaSums<kRank>& sums, int row, int count) {
      const MmaTarget<kRank, Output> target{p, strip};
      target.template write<kPhase == MmaPhase::all>(sums, row, count);
    };
    if constexpr (kLayout.bytes()) {
      using Part = ByteTriangle<kRank, Factor>;
      multiply_rows<Part, Factor, kStages, kL1>(
          p, ring, [&](typename Part::Sums& sums, int row, int count) {
            MmaSums<kRank> scaled;
            scale_sums<kRank>(scaled, ScaledSums<Part::kTiles, SumOf<Factor>>{sums, scales});
            write(scaled, row, count);
          });
    } else {
      multiply_rows<WholeTriangle<kRank>, Factor, kStages, kL1>(p, ring, write);
    }
  } else {
    const int member = TeamPart<kRank>::member();
    using Part = TeamPartOf<kRank, Factor>;
    multiply_rows<Part, Factor, kStages, kL1>(
        p, ring, [&](const typename Part::Sums& sums, int row, int count) {
          const TeamWriter<kRank, Output> writer{p, member};
          if constexpr (sizeof(Factor) == 1) {
            typename TeamPart<kRank>::Sums scaled;
            scale_team_sums<TeamPart<kRank>>(scaled, sums, scales, member);
            writer.template write<kPhase == MmaPhase::all>(scaled, row, count);
          } else {
            writer.template write<kPhase == MmaPhase::all>(sums, row, count);
          }
        });
  }
}

}  // namespace alsbench
