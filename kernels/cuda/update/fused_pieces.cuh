// Last kernel of update/fused: sums the pieces of the rows that were cut and solves them. Any grid.
#pragma once

#include "kernels/cuda/mma/multiply.cuh"
#include "kernels/cuda/mma/sum.cuh"
#include "kernels/cuda/update/tile_cg.cuh"

namespace alsbench {

template <int kRank, int kWarps, int kBlocks, int kChunk, int kSteps, uint32_t kToleranceBits,
          bool kWarm>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) fused_update_pieces(UpdateParams p) {
  constexpr int kVectorsBytes = MmaLayout{kRank}.vectors_bytes();
  extern __shared__ float4 shared_memory[];
  auto* vectors = reinterpret_cast<float*>(reinterpret_cast<char*>(shared_memory) +
                                           threadIdx.x / 32 * kVectorsBytes);
  const float scale = rating_scale(p);
  sum_pieces<WholeTriangle<kRank>, kWarps, kChunk>(
      p, [&](const MmaSums<kRank>& sums, int row, int count) {
        update_row<kRank, kSteps, kToleranceBits, kWarm>(p, sums, row, count, scale, vectors);
      });
}

}  // namespace alsbench
