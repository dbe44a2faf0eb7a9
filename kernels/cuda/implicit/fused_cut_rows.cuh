// SPDX-License-Identifier: Apache-2.0
// Last kernel of implicit_update/fused, after sum_pieces: solves the rows that were cut. Any grid.
#pragma once

#include "kernels/cuda/implicit/row.cuh"
#include "kernels/cuda/mma/sum.cuh"

namespace alsbench {

template <int kRank, int kWarps, int kBlocks, typename Factor, bool kTolerance, bool kWarm,
          typename Element, bool kJacobi = false>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    implicit_update_cut_rows(const __grid_constant__ ImplicitParams p) {
  constexpr MmaLayout kTiles{kRank};
  constexpr int kVectorsBytes = kTiles.vectors_bytes(1, kJacobi);
  extern __shared__ float4 shared_memory[];
  char* const shared = reinterpret_cast<char*>(shared_memory);
  auto* vectors = reinterpret_cast<float*>(shared + threadIdx.x / 32 * kVectorsBytes);
  if constexpr (sizeof(Factor) == 1) {
    auto* scales = reinterpret_cast<float*>(shared + kWarps * kVectorsBytes);
    auto* largest = reinterpret_cast<uint32_t*>(scales + kTiles.scales());
    clear_largest<kRank>(largest);
    load_scales<kRank>(p.update, scales);
    finish_cut_rows<WholeTriangle<kRank>, kWarps>(
        p.update, [&](MmaSums<kRank>& sums, int row, int count) {
          update_implicit_row<kRank, Element, kTolerance, kWarm, kJacobi>(p, sums, scales, row,
                                                                          count, vectors, largest);
        });
    keep_largest<kRank>(p.update, largest);
  } else {
    finish_cut_rows<WholeTriangle<kRank>, kWarps>(
        p.update, [&](MmaSums<kRank>& sums, int row, int count) {
          update_implicit_row<kRank, Factor, Element, kTolerance, kWarm, kJacobi>(p, sums, row,
                                                                                  count, vectors);
        });
  }
}

}  // namespace alsbench
