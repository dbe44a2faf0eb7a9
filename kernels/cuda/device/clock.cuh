// SPDX-License-Identifier: Apache-2.0
// The clocks of a device, in PTX, and the multiprocessor that a thread runs on.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// The same on all multiprocessors. It moves in steps, of 32 ns to 1 us by device.
__device__ __forceinline__ uint64_t global_nanoseconds() {
  uint64_t nanoseconds;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  return nanoseconds;
}

// Of this multiprocessor, whose clock they follow.
__device__ __forceinline__ uint64_t cycles() {
  uint64_t cycles;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles));
  return cycles;
}

__device__ __forceinline__ uint32_t multiprocessor() {
  uint32_t number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

}  // namespace alsbench
