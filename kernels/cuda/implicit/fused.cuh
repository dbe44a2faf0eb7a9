// SPDX-License-Identifier: Apache-2.0
// A half-iteration of implicit ALS in one kernel: update/fused with weighted factor rows, whose
// sums begin CG with the Gram matrix added. A warp a row. Needs plan_rows and spread_gram before
// it, and sum_pieces and implicit_update_cut_rows after it, where rows are cut.
#pragma once

#include "kernels/cuda/implicit/row.cuh"
#include "kernels/cuda/mma/byte_multiply.cuh"

namespace alsbench {

template <int kRank, int kStages, int kWarps, int kBlocks, bool kL1, typename Factor,
          bool kTolerance, bool kWarm, typename Element, bool kJacobi = false>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    implicit_update(const __grid_constant__ ImplicitParams p) {
  constexpr bool kBytes = sizeof(Factor) == 1;
  constexpr int kVectorsBytes = MmaLayout{kRank}.vectors_bytes(1, kJacobi);
  constexpr int kParts = kBytes ? 2 : MmaFactor<Weighted<Factor>>::kParts;
  constexpr MmaLayout kLayout{kRank,        kStages,        kWarps, kVectorsBytes,
                              /* team */ 1, sizeof(Factor), kParts};
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory);
  auto* scales = reinterpret_cast<float*>(ring + kLayout.scales_at());
  auto* largest = reinterpret_cast<uint32_t*>(scales + kLayout.scales());
  ring += threadIdx.x / 32 * kLayout.warp_bytes();
  auto* vectors = reinterpret_cast<float*>(ring + kLayout.ring_bytes());
  if constexpr (kBytes) {
    using Part = ByteTriangle<kRank>;
    clear_largest<kRank>(largest);
    load_scales<kRank>(p.update, scales);
    multiply_rows<Part, Factor, kStages, kL1>(
        p.update, ring, [&](typename Part::Sums& sums, int row, int count) {
          MmaSums<kRank> converted;
          convert_sums(converted, sums, count);
          update_implicit_row<kRank, Element, kTolerance, kWarm, kJacobi>(p, converted, scales, row,
                                                                          count, vectors, largest);
        });
    keep_largest<kRank>(p.update, largest);
  } else {
    multiply_rows<WholeTriangle<kRank>, Weighted<Factor>, kStages, kL1>(
        p, ring, [&](MmaSums<kRank>& sums, int row, int count) {
          update_implicit_row<kRank, Factor, Element, kTolerance, kWarm, kJacobi>(p, sums, row,
                                                                                  count, vectors);
        });
  }
}

}  // namespace alsbench
