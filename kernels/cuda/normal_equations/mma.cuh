// A_u and b_u in one pass over the ratings on tensor cores: a warp a row of ratings, or a piece of
// a long one. A persistent grid takes rows from a queue. Needs mma_plan_rows before it and
// mma_sum_pieces after it.
#pragma once

#include "kernels/cuda/mma/multiply.cuh"
#include "kernels/cuda/normal_equations/mma_write.cuh"

namespace alsbench {

template <int kRank, int kStages, int kWarps, int kBlocks, int kChunk, bool kL1, bool kPacked,
          bool kOrdered, MmaPhase kPhase, typename Output>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) mma_multiply(UpdateParams p) {
  constexpr MmaLayout kLayout{kRank, kStages, kWarps, mma_strip_bytes(kRank, sizeof(Output))};
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory) + threadIdx.x / 32 * kLayout.warp_bytes();
  auto* strip = reinterpret_cast<Output*>(ring + kLayout.ring_bytes());
  multiply_rows<kRank, kStages, kChunk, kL1, kPacked, kOrdered>(
      p, ring, [&](const MmaSums<kRank>& sums, int row, int count, float scale) {
        const MmaTarget<kRank, Output> target{p, strip, scale};
        target.template write<kPhase == MmaPhase::all>(sums, row, count);
      });
}

}  // namespace alsbench
