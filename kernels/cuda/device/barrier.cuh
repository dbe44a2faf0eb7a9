// A barrier of a block whose warps run different code.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// Waits for all kThreads threads of the block, whole warps, wherever in the code each warp is: not
// the aligned form (__syncthreads is one), which has to be the same instruction for all of them.
template <int kThreads>
__device__ __forceinline__ void sync_apart() {
  asm volatile("barrier.sync 1, %0;" : : "n"(kThreads) : "memory");
}

}  // namespace alsbench
