// Copies the fixed factors into rows of whole 64-byte units with what is left over aside: a
// gathered row then touches no sector or line of its neighbours. One pass over the factors, before
// the gathering kernel of the tensor-core variants; any grid.
#pragma once

#include "kernels/cuda/mma/layout.cuh"
#include "kernels/shared/params.h"

namespace alsbench {

template <int kRank, int kChunk, int kThreads>
__global__ void __launch_bounds__(kThreads) mma_pack_factors(UpdateParams p) {
  constexpr MmaLayout kLayout{kRank};
  constexpr int kVectors = kLayout.vectors(), kMain = kLayout.main_vectors();
  char* packed = static_cast<char*>(p.workspace) +
                 PieceWorkspace{p.ratings.nnz, kChunk, mma_slot_bytes(kRank)}.bytes();
  char* aside = packed + kLayout.packed_aside_at(p.factors.rows);
  const int64_t row_bytes = int64_t{2} * p.factors.pitch;
  const int64_t threads = int64_t{gridDim.x} * kThreads;
#pragma unroll 4
  for (int64_t i = int64_t{blockIdx.x} * kThreads + threadIdx.x; i < p.factors.rows * kVectors;
       i += threads) {
    const int64_t row = i / kVectors;
    const int at = static_cast<int>(i - row * kVectors);
    char* target = at < kMain ? packed + (row * kMain + at) * 16
                              : aside + (row * (kVectors - kMain) + at - kMain) * 16;
    *reinterpret_cast<uint4*>(target) = *reinterpret_cast<const uint4*>(
        static_cast<const char*>(p.factors.data) + row * row_bytes + at * 16);
  }
}

}  // namespace alsbench
