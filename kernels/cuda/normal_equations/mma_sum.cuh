// Last kernel of normal_equations/mma: sums the pieces of the rows that were cut, in their order,
// a warp a row, and writes the rows' equations. Any grid.
#pragma once

#include "kernels/cuda/normal_equations/mma_knobs.cuh"
#include "kernels/cuda/normal_equations/mma_write.cuh"

namespace alsbench {

template <int kRank, int kWarps, int kBlocks, int kChunk, MmaPhase kPhase, typename Output>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) mma_sum_pieces(UpdateParams p) {
  constexpr int kTiles = MmaLayout{kRank}.tiles();
  constexpr MmaLayout kLayout{kRank, 0, kWarps, sizeof(Output)};
  extern __shared__ float4 shared_memory[];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  auto* strip = reinterpret_cast<Output*>(reinterpret_cast<char*>(shared_memory) +
                                          warp * kLayout.strip_bytes());
  const MmaWorkspace workspace{p.ratings.nnz, kChunk};
  const char* base = static_cast<const char*>(p.workspace);
  const auto* rows = reinterpret_cast<const MmaSplitRow*>(base + workspace.split_rows_at());
  const auto* slots = reinterpret_cast<const float4*>(base + workspace.sums_at());
  const uint32_t count = reinterpret_cast<const MmaCounters*>(base)->split_rows;

  const MmaTarget<kRank, Output> target{p, strip, rating_scale(p)};
  for (uint32_t at = blockIdx.x * kWarps + warp; at < count; at += gridDim.x * kWarps) {
    const MmaSplitRow row = rows[at];
    float sums[kTiles][4] = {};
    const float4* source = slots + int64_t{row.slot} * (kTiles * 32) + lane;
#pragma unroll 1
    for (int piece = 0; piece < row.pieces; ++piece, source += kTiles * 32) {
#pragma unroll
      for (int i = 0; i < kTiles; ++i) {
        const float4 part = source[i * 32];
        sums[i][0] += part.x, sums[i][1] += part.y, sums[i][2] += part.z, sums[i][3] += part.w;
      }
    }
    target.template write<kPhase == MmaPhase::all>(sums, row.row, row.count);
  }
}

}  // namespace alsbench
