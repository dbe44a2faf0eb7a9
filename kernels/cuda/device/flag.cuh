// SPDX-License-Identifier: Apache-2.0
// Numbers in global memory by which a warp hands its data to another one.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// All lanes wait until the number is `value`. Earlier writes are then visible to reads past L1. Who
// announces must be running: no launch has more blocks than the device holds.
__device__ __forceinline__ void wait_for(const int32_t* flag, int32_t value) {
  int32_t found;
  do {
    asm volatile("ld.volatile.global.s32 %0, [%1];" : "=r"(found) : "l"(flag) : "memory");
  } while (found != value);
  __threadfence();
}

// All lanes of the warp call it.
__device__ __forceinline__ void announce(int32_t* flag, int32_t value) {
  __threadfence();
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    asm volatile("st.volatile.global.s32 [%0], %1;" ::"l"(flag), "r"(value) : "memory");
}

}  // namespace alsbench
