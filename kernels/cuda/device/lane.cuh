// Lanes that the compiler knows nothing of: what is computed from them is computed where it is
// used. From threadIdx it computes addresses once and holds them in registers throughout, also in
// loops that have none to spare. Used by the tensor-core variants.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// The thread's lane in its warp, read anew.
__device__ __forceinline__ int fresh_lane() {
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// `value`, which costs a register but no instruction.
__device__ __forceinline__ int unknown(int value) {
  asm volatile("" : "+r"(value));
  return value;
}

}  // namespace alsbench
