// A whole half-iteration in one kernel: a warp sums A_u and b_u of a row on tensor cores and solves
// by CG from the registers that hold the sums; A_u never reaches memory. Beyond
// normal_equations/mma: the solver in place of the write, and of the solver's read. A persistent
// grid takes rows from a queue. Needs mma_plan_rows before it and fused_update_pieces after it.
#pragma once

#include "kernels/cuda/mma/multiply.cuh"
#include "kernels/cuda/update/tile_cg.cuh"

namespace alsbench {

template <int kRank, int kStages, int kWarps, int kBlocks, int kChunk, bool kL1, bool kPacked,
          bool kOrdered, int kSteps, uint32_t kToleranceBits, bool kWarm>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) fused_update(UpdateParams p) {
  constexpr MmaLayout kLayout{kRank, kStages, kWarps, MmaLayout{kRank}.vectors_bytes()};
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory) + threadIdx.x / 32 * kLayout.warp_bytes();
  auto* vectors = reinterpret_cast<float*>(ring + kLayout.ring_bytes());
  multiply_rows<WholeTriangle<kRank>, kStages, kChunk, kL1, kPacked, kOrdered>(
      p, ring, [&](const MmaSums<kRank>& sums, int row, int count, float scale) {
        update_row<kRank, kSteps, kToleranceBits, kWarm>(p, sums, row, count, scale, vectors);
      });
}

}  // namespace alsbench
