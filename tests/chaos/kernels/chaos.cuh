// SPDX-License-Identifier: Apache-2.0
// Faults on purpose, one a value of Defect: what a sweep must survive and what compute-sanitizer
// must catch. Runs after a correct hermitian kernel on the same params, so only the defect is
// wrong.
#pragma once

#include "kernels/shared/params/als.h"

namespace alsbench {

enum class Defect {
  null_write,
  misaligned,
  trap,
  infinite_loop,
  stack_overflow,
  out_of_bounds,
  race,
  wrong,
  nan,
};

__device__ __noinline__ int recurse(volatile int* depth) {
  volatile int frame[256];
  frame[*depth & 255] = *depth;
  *depth += 1;
  return *depth < (1 << 24) ? recurse(depth) + frame[0] : 0;
}

// Neighbours exchange elements through shared memory without the barrier between write and read.
__device__ __forceinline__ float racy_exchange(float value) {
  __shared__ float exchange[64];
  exchange[threadIdx.x] = value;
  return exchange[(threadIdx.x + 33) % 64];
}

// One block of 64 threads. `matrices` holds float.
template <Defect kDefect, int kRank>
__global__ void chaos(UpdateParams p) {
  float* matrices = static_cast<float*>(p.matrices);
  const int64_t elements = p.row_count * kRank * kRank;
  if constexpr (kDefect == Defect::race) {
    matrices[threadIdx.x % elements] = racy_exchange(static_cast<float>(threadIdx.x));
    return;
  }
  if (threadIdx.x != 0) return;
  if constexpr (kDefect == Defect::null_write) *static_cast<volatile float*>(nullptr) = 1;
  if constexpr (kDefect == Defect::misaligned)
    *reinterpret_cast<volatile float*>(reinterpret_cast<char*>(matrices) + 1) = 1;
  if constexpr (kDefect == Defect::trap) asm volatile("trap;");
  if constexpr (kDefect == Defect::infinite_loop)
    while (true) asm volatile("nanosleep.u32 1000;");  // a loop without effects would be removed
  if constexpr (kDefect == Defect::stack_overflow) {
    volatile int depth = 0;
    matrices[0] = static_cast<float>(recurse(&depth));
  }
  if constexpr (kDefect == Defect::out_of_bounds) matrices[elements] = 1;
  if constexpr (kDefect == Defect::wrong) matrices[0] += 1 + matrices[0];
  if constexpr (kDefect == Defect::nan) matrices[0] = __int_as_float(0x7fffffff);
}

}  // namespace alsbench
