// SPDX-License-Identifier: Apache-2.0
// Last kernel of normal_equations/mma, after sum_pieces: writes the equations of the rows that were
// cut. Any grid.
#pragma once

#include "kernels/cuda/mma/byte_team.cuh"
#include "kernels/cuda/mma/sum.cuh"
#include "kernels/cuda/normal_equations/mma_write.cuh"
#include "kernels/cuda/normal_equations/team_write.cuh"

namespace alsbench {

template <int kRank, int kWarps, int kBlocks, typename Factor, MmaPhase kPhase, typename Output>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) mma_write_cut_rows(UpdateParams p) {
  constexpr int kTeam = mma_team(MmaLayout{kRank}).warps;
  extern __shared__ float4 shared_memory[];
  constexpr int kStripBytes = mma_strip_bytes(kRank, sizeof(Output), kTeam);
  auto* scales =
      reinterpret_cast<float*>(reinterpret_cast<char*>(shared_memory) + kWarps * kStripBytes);
  if constexpr (sizeof(Factor) == 1) load_scales<kRank>(p, scales);
  if constexpr (kTeam == 1) {
    auto* strip = reinterpret_cast<Output*>(reinterpret_cast<char*>(shared_memory) +
                                            threadIdx.x / 32 * kStripBytes);
    const MmaTarget<kRank, Output> target{p, strip};
    finish_cut_rows<WholeTriangle<kRank>, kWarps>(p, [&](MmaSums<kRank>& sums, int row, int count) {
      if constexpr (sizeof(Factor) == 1)
        scale_sums<kRank>(sums, ScaledSums<MmaLayout{kRank}.tiles(), float>{sums, scales});
      target.template write<kPhase == MmaPhase::all>(sums, row, count);
    });
  } else {
    using Part = TeamPart<kRank>;
    const int member = Part::member();
    finish_cut_rows<Part, kTeam>(p, [&](typename Part::Sums& sums, int row, int count) {
      if constexpr (sizeof(Factor) == 1)
        scale_team_sums<TeamPart<kRank>>(sums, sums, scales, member);
      const TeamWriter<kRank, Output> writer{p, member};
      writer.template write<kPhase == MmaPhase::all>(sums, row, count);
    });
  }
}

}  // namespace alsbench
