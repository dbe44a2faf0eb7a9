// SPDX-License-Identifier: Apache-2.0
// A half-iteration of implicit ALS in one kernel: update/fused with weighted factor rows, whose
// sums begin CG with the Gram matrix added. A warp a row. Needs plan_rows and spread_gram before
// it, and sum_pieces and implicit_update_cut_rows after it, where rows are cut.
#pragma once

#include "kernels/cuda/implicit/row.cuh"

namespace alsbench {

template <int kRank, int kStages, int kWarps, int kBlocks, bool kL1, typename Factor,
          bool kTolerance, bool kWarm, typename Element, bool kJacobi = false>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    implicit_update(const __grid_constant__ ImplicitParams p) {
  constexpr int kVectorsBytes = MmaLayout{kRank}.vectors_bytes(1, kJacobi);
  constexpr MmaLayout kRing = ring_layout<kRank, Weighted<Factor>>(kStages);
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory) +
               threadIdx.x / 32 * (kRing.ring_bytes() + kVectorsBytes);
  auto* vectors = reinterpret_cast<float*>(ring + kRing.ring_bytes());
  multiply_rows<WholeTriangle<kRank>, Weighted<Factor>, kStages, kL1>(
      p, ring, [&](MmaSums<kRank>& sums, int row, int count) {
        update_implicit_row<kRank, Factor, Element, kTolerance, kWarm, kJacobi>(p, sums, row, count,
                                                                                vectors);
      });
}

}  // namespace alsbench
