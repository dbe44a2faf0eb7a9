// SPDX-License-Identifier: Apache-2.0
// Products of signed bytes by a warpgroup, in PTX (sm_90a): both operands stand in shared memory,
// and tensor cores work on while the warps go on. PTX ISA, "Asynchronous Warpgroup Level Matrix
// Multiply-Accumulate", wgmma.mma_async, m64nNk32. A warpgroup is four warps in a row, from a
// multiple of four on.
#pragma once

#include "kernels/shared/types.h"

namespace alsbench {

// An operand of 32 columns that lies in blocks of 8 rows by 16 bytes, each 128 bytes as they are
// read: the two of 8 rows one after another, and behind them those of the next rows. `address`:
// of shared memory, a multiple of 16.
__device__ __forceinline__ uint64_t warpgroup_operand(uint32_t address) {
  constexpr uint64_t kColumns = 128 / 16, kRows = 256 / 16;  // from one block to the next
  return (address & 0x3ffffu) >> 4 | kColumns << 16 | kRows << 32;
}

// Before the first product after other instructions wrote its sums.
__device__ __forceinline__ void begin_products() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ __forceinline__ void commit_products() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// Until all that was committed is done: the sums may be read.
__device__ __forceinline__ void wait_products() {
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}
// Products after the next barrier read what this thread stored in shared memory.
__device__ __forceinline__ void publish_operands() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// Blocks of 8 rows by 16 bytes, of which lane l has word l % 4 of row l / 4: lane l's `address` is
// that of row l % 8 of block l / 8.
__device__ __forceinline__ void store_blocks(const uint32_t (&blocks)[4], uint32_t address) {
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address),
               "r"(blocks[0]), "r"(blocks[1]), "r"(blocks[2]), "r"(blocks[3])
               : "memory");
}

// sums += A B^T, of 64 rows of A and 16 kPairs of B. A warp has 16 of the rows: a tile of 8 columns
// lies in its lanes as one of multiply_add.
template <int kPairs>
__device__ void multiply_add_async(int (*sums)[4], uint64_t a, uint64_t b);

// The registers of 2 tiles after another, and their numbers in PTX.
#define ALSBENCH_TILE(i) "+r"(sums[i][0]), "+r"(sums[i][1]), "+r"(sums[i][2]), "+r"(sums[i][3])
#define ALSBENCH_TILES_1 ALSBENCH_TILE(0), ALSBENCH_TILE(1)
#define ALSBENCH_TILES_2 ALSBENCH_TILES_1, ALSBENCH_TILE(2), ALSBENCH_TILE(3)
#define ALSBENCH_TILES_3 ALSBENCH_TILES_2, ALSBENCH_TILE(4), ALSBENCH_TILE(5)
#define ALSBENCH_TILES_4 ALSBENCH_TILES_3, ALSBENCH_TILE(6), ALSBENCH_TILE(7)
#define ALSBENCH_TILES_5 ALSBENCH_TILES_4, ALSBENCH_TILE(8), ALSBENCH_TILE(9)
#define ALSBENCH_TILES_6 ALSBENCH_TILES_5, ALSBENCH_TILE(10), ALSBENCH_TILE(11)
#define ALSBENCH_TILES_7 ALSBENCH_TILES_6, ALSBENCH_TILE(12), ALSBENCH_TILE(13)
#define ALSBENCH_TILES_8 ALSBENCH_TILES_7, ALSBENCH_TILE(14), ALSBENCH_TILE(15)
#define ALSBENCH_TILES_9 ALSBENCH_TILES_8, ALSBENCH_TILE(16), ALSBENCH_TILE(17)
#define ALSBENCH_TILES_10 ALSBENCH_TILES_9, ALSBENCH_TILE(18), ALSBENCH_TILE(19)
#define ALSBENCH_TILES_11 ALSBENCH_TILES_10, ALSBENCH_TILE(20), ALSBENCH_TILE(21)
#define ALSBENCH_TILES_12 ALSBENCH_TILES_11, ALSBENCH_TILE(22), ALSBENCH_TILE(23)
#define ALSBENCH_TILES_13 ALSBENCH_TILES_12, ALSBENCH_TILE(24), ALSBENCH_TILE(25)
#define ALSBENCH_TILES_14 ALSBENCH_TILES_13, ALSBENCH_TILE(26), ALSBENCH_TILE(27)
#define ALSBENCH_TILES_15 ALSBENCH_TILES_14, ALSBENCH_TILE(28), ALSBENCH_TILE(29)
#define ALSBENCH_TILES_16 ALSBENCH_TILES_15, ALSBENCH_TILE(30), ALSBENCH_TILE(31)
#define ALSBENCH_NUMBERS_1 "%0, %1, %2, %3, %4, %5, %6, %7"
#define ALSBENCH_NUMBERS_2 ALSBENCH_NUMBERS_1 ", %8, %9, %10, %11, %12, %13, %14, %15"
#define ALSBENCH_NUMBERS_3 ALSBENCH_NUMBERS_2 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define ALSBENCH_NUMBERS_4 ALSBENCH_NUMBERS_3 ", %24, %25, %26, %27, %28, %29, %30, %31"
#define ALSBENCH_NUMBERS_5 ALSBENCH_NUMBERS_4 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define ALSBENCH_NUMBERS_6 ALSBENCH_NUMBERS_5 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define ALSBENCH_NUMBERS_7 ALSBENCH_NUMBERS_6 ", %48, %49, %50, %51, %52, %53, %54, %55"
#define ALSBENCH_NUMBERS_8 ALSBENCH_NUMBERS_7 ", %56, %57, %58, %59, %60, %61, %62, %63"
#define ALSBENCH_NUMBERS_9 ALSBENCH_NUMBERS_8 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define ALSBENCH_NUMBERS_10 ALSBENCH_NUMBERS_9 ", %72, %73, %74, %75, %76, %77, %78, %79"
#define ALSBENCH_NUMBERS_11 ALSBENCH_NUMBERS_10 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define ALSBENCH_NUMBERS_12 ALSBENCH_NUMBERS_11 ", %88, %89, %90, %91, %92, %93, %94, %95"
#define ALSBENCH_NUMBERS_13 ALSBENCH_NUMBERS_12 ", %96, %97, %98, %99, %100, %101, %102, %103"
#define ALSBENCH_NUMBERS_14 ALSBENCH_NUMBERS_13 ", %104, %105, %106, %107, %108, %109, %110, %111"
#define ALSBENCH_NUMBERS_15 ALSBENCH_NUMBERS_14 ", %112, %113, %114, %115, %116, %117, %118, %119"
#define ALSBENCH_NUMBERS_16 ALSBENCH_NUMBERS_15 ", %120, %121, %122, %123, %124, %125, %126, %127"

// The two operands are numbers kA and kB.
#define ALSBENCH_PRODUCT(kPairs, kColumns, kA, kB)                                                 \
  template <>                                                                                      \
  __device__ __forceinline__ void multiply_add_async<kPairs>(int(*sums)[4], uint64_t a,            \
                                                             uint64_t b) {                         \
    asm volatile("{.reg .pred p; setp.eq.u32 p, 0, 0; wgmma.mma_async.sync.aligned.m64n" #kColumns \
                 "k32.s32.s8.s8 {" ALSBENCH_NUMBERS_##kPairs "}, %" #kA ", %" #kB ", p;}"          \
                 : ALSBENCH_TILES_##kPairs                                                         \
                 : "l"(a), "l"(b));                                                                \
  }
ALSBENCH_PRODUCT(1, 16, 8, 9)
ALSBENCH_PRODUCT(2, 32, 16, 17)
ALSBENCH_PRODUCT(3, 48, 24, 25)
ALSBENCH_PRODUCT(4, 64, 32, 33)
ALSBENCH_PRODUCT(5, 80, 40, 41)
ALSBENCH_PRODUCT(6, 96, 48, 49)
ALSBENCH_PRODUCT(7, 112, 56, 57)
ALSBENCH_PRODUCT(8, 128, 64, 65)
ALSBENCH_PRODUCT(9, 144, 72, 73)
ALSBENCH_PRODUCT(10, 160, 80, 81)
ALSBENCH_PRODUCT(11, 176, 88, 89)
ALSBENCH_PRODUCT(12, 192, 96, 97)
ALSBENCH_PRODUCT(13, 208, 104, 105)
ALSBENCH_PRODUCT(14, 224, 112, 113)
ALSBENCH_PRODUCT(15, 240, 120, 121)
ALSBENCH_PRODUCT(16, 256, 128, 129)
#undef ALSBENCH_PRODUCT
#undef ALSBENCH_TILE

}  // namespace alsbench
