// SPDX-License-Identifier: Apache-2.0
// Shared memory by 32-bit addresses, in PTX (sm_80 and newer): one register where a pointer takes
// two, and nothing that the compiler would recompute at every use.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

__device__ __forceinline__ uint32_t shared_address(const void* p) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}

__device__ __forceinline__ uint32_t load_shared(uint32_t address) {
  uint32_t word;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(address) : "memory");
  return word;
}
__device__ __forceinline__ void load_shared(uint32_t (&words)[2], uint32_t address) {
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];"
               : "=r"(words[0]), "=r"(words[1])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void load_shared(uint32_t (&words)[4], uint32_t address) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
               : "r"(address)
               : "memory");
}
__device__ __forceinline__ void store_shared(uint32_t address, uint32_t word) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(word) : "memory");
}
__device__ __forceinline__ void store_shared_if(bool wanted, uint32_t address, uint16_t half) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u16 [%0], %1;}" ::"r"(address),
               "h"(half), "r"(static_cast<uint32_t>(wanted))
               : "memory");
}

__device__ __forceinline__ void store_shared_if(bool wanted, uint32_t address, uint32_t word) {
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u32 [%0], %1;}" ::"r"(address),
               "r"(word), "r"(static_cast<uint32_t>(wanted))
               : "memory");
}

// Starts copying 16 bytes from global to shared memory, or clears them where `index` is negative;
// nothing is read then.
template <bool kL1>
__device__ __forceinline__ void copy_async_or_clear(uint32_t shared, const void* global,
                                                    int index) {
  if constexpr (kL1)
    asm volatile(
        "{.reg .pred p; setp.lt.s32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 16, p;}" ::"r"(
            shared),
        "l"(global), "r"(index)
        : "memory");
  else
    asm volatile(
        "{.reg .pred p; setp.lt.s32 p, %2, 0; cp.async.cg.shared.global [%0], [%1], 16, p;}" ::"r"(
            shared),
        "l"(global), "r"(index)
        : "memory");
}
// Starts copying a word of data that one warp reads in order: what follows comes along into L2.
__device__ __forceinline__ void copy_word_async(uint32_t shared, const uint32_t* global) {
  asm volatile("cp.async.ca.shared.global.L2::256B [%0], [%1], 4;" ::"r"(shared), "l"(global)
               : "memory");
}

}  // namespace alsbench
