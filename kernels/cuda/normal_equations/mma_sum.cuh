// Last kernel of normal_equations/mma: sums the pieces of the rows that were cut and writes the
// rows' equations. Any grid.
#pragma once

#include "kernels/cuda/mma/sum.cuh"
#include "kernels/cuda/normal_equations/mma_write.cuh"

namespace alsbench {

template <int kRank, int kWarps, int kBlocks, int kChunk, MmaPhase kPhase, typename Output>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) mma_sum_pieces(UpdateParams p) {
  constexpr int kStripBytes = mma_strip_bytes(kRank, sizeof(Output));
  extern __shared__ float4 shared_memory[];
  auto* strip = reinterpret_cast<Output*>(reinterpret_cast<char*>(shared_memory) +
                                          threadIdx.x / 32 * kStripBytes);
  const MmaTarget<kRank, Output> target{p, strip, rating_scale(p)};
  sum_pieces<kRank, kWarps, kChunk>(p, [&](const MmaSums<kRank>& sums, int row, int count) {
    target.template write<kPhase == MmaPhase::all>(sums, row, count);
  });
}

}  // namespace alsbench
