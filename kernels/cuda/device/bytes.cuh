// SPDX-License-Identifier: Apache-2.0
// Bytes on tensor cores, in PTX (sm_80 and newer): the bytes of two words sorted, and products of
// signed integers, which are exact, or of floats in e4m3 (sm_89 and newer). Layouts of fragments:
// PTX ISA, "Warp Level Matrix Multiply-Accumulate", mma.m16n8k32.
#pragma once

#include "kernels/cuda/device/element.cuh"

namespace alsbench {

// Bytes 0 and 2 of a, then those of b; and bytes 1 and 3.
__device__ __forceinline__ uint32_t even_bytes(uint32_t a, uint32_t b) {
  uint32_t word;
  asm volatile("prmt.b32 %0, %1, %2, 0x6420;" : "=r"(word) : "r"(a), "r"(b));
  return word;
}
__device__ __forceinline__ uint32_t odd_bytes(uint32_t a, uint32_t b) {
  uint32_t word;
  asm volatile("prmt.b32 %0, %1, %2, 0x7531;" : "=r"(word) : "r"(a), "r"(b));
  return word;
}
// The same words once more, by an instruction that the compiler cannot take for the same. An
// operand A needs four registers in a row and an operand B two: one register cannot be in both, and
// a copy would be a move in addition to the permutation.
__device__ __forceinline__ uint32_t even_bytes_again(uint32_t a, uint32_t b) {
  uint32_t word;
  asm volatile("prmt.b32 %0, %1, %2, 0x2064;" : "=r"(word) : "r"(b), "r"(a));
  return word;
}
__device__ __forceinline__ uint32_t odd_bytes_again(uint32_t a, uint32_t b) {
  uint32_t word;
  asm volatile("prmt.b32 %0, %1, %2, 0x3175;" : "=r"(word) : "r"(b), "r"(a));
  return word;
}

// sum += A B, 16 rows of A by 8 columns of B, 32 columns of A, all signed bytes. Lane l holds of
// `sum` what it holds of a product of halves (mma.cuh). Volatile, so no phase is optimised away.
__device__ __forceinline__ void multiply_add(int (&sum)[4], const uint32_t (&a)[4], uint32_t b0,
                                             uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The same of bytes in e4m3, whose sums are floats. sm_89 keeps 13 bits behind their leading one.
__device__ __forceinline__ void multiply_add(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0,
                                             uint32_t b1) {
  asm volatile(
      "mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ void store_shared_byte(uint32_t address, uint32_t byte) {
  asm volatile("st.shared.u8 [%0], %1;" ::"r"(address), "r"(byte) : "memory");
}

// The nearest integer, ties to even; 0 for NaN.
__device__ __forceinline__ int to_integer(float value) {
  int integer;
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(integer) : "f"(value));
  return integer;
}

// The nearest number in e4m3, ties to even; 448 for what is larger, NaN for NaN (sm_89 and newer).
__device__ __forceinline__ uint8_t float_to_e4m3(float value) {
  uint16_t two;
  asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(two) : "f"(0.0f), "f"(value));
  return static_cast<uint8_t>(two);
}
__device__ __forceinline__ float e4m3_to_float(uint8_t bits) {
  uint32_t halves;
  const uint16_t two = bits;
  asm("cvt.rn.f16x2.e4m3x2 %0, %1;" : "=r"(halves) : "h"(two));
  return half_to_float(static_cast<uint16_t>(halves));
}

}  // namespace alsbench
