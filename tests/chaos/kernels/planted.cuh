// SPDX-License-Identifier: Apache-2.0
// A slowdown on purpose, to show that a comparison finds it: the naive hermitian, whose grid may
// have more blocks than there is work; those do the work of the first ones again. kCode = 2 is
// other code of the same speed.
#pragma once

#include "kernels/cuda/hermitian/naive.cuh"

namespace alsbench {

template <int kRank, int kThreads, int kCode>
__global__ void __launch_bounds__(kThreads) planted_hermitian(UpdateParams p) {
  constexpr int kBlocks = (kRank * kRank + kThreads - 1) / kThreads;
  if (kCode == 2 && p.row_count < 0) __trap();
  const int64_t needed = p.row_count * kBlocks;
  const int64_t block = static_cast<int64_t>(blockIdx.x) % needed;
  naive_block<kRank, kThreads, true, float, float>(p, static_cast<unsigned int>(block));
}

}  // namespace alsbench
