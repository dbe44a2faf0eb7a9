// SPDX-License-Identifier: Apache-2.0
// Lanes that the compiler knows nothing of: what is computed from them is computed where it is
// used. From threadIdx it computes addresses once and holds them in registers throughout, also in
// loops that have none to spare.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// The thread's lane in its warp, read again.
__device__ __forceinline__ int fresh_lane() {
  int lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
}

// Whether kernels hold in registers what they could recompute. At rank 100 ptxas has the registers
// for sm_90 alone, and spills elsewhere.
#if __CUDA_ARCH__ == 900
inline constexpr bool kHoldsMore = true;
#else
inline constexpr bool kHoldsMore = false;
#endif

// `value`, which costs a register but no instruction.
template <typename Word>
__device__ __forceinline__ Word unknown(Word value) {
  static_assert(sizeof(Word) == 4);
  asm volatile("" : "+r"(value));
  return value;
}
template <typename Word>
__device__ __forceinline__ Word unknown_where_held(Word value) {
  if constexpr (kHoldsMore) return unknown(value);
  return value;
}

// atomicAdd where `wanted`, without a branch: what it returns (else 0) need not be there yet when
// the thread goes on.
__device__ __forceinline__ int add_if(bool wanted, int* target, int value) {
  int old = 0;
  asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p atom.global.add.s32 %0, [%1], %2;}"
               : "+r"(old)
               : "l"(target), "r"(value), "r"(static_cast<uint32_t>(wanted))
               : "memory");
  return old;
}

// A store where `wanted`, without a branch: the compiler copies what follows one, such as the
// clearing of 200 registers, to both ways.
__device__ __forceinline__ void store_if(bool wanted, int* target, int value) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.s32 [%0], %1;}" ::"l"(target),
               "r"(value), "r"(static_cast<uint32_t>(wanted))
               : "memory");
}

// `value`, which is then held in registers: what the compiler can recompute it does not hold where
// registers are short, and this it cannot.
template <typename Value>
__device__ __forceinline__ Value held(Value value) {
  return __shfl_xor_sync(0xffffffffu, value, 0);
}

}  // namespace alsbench
