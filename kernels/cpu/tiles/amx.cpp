// SPDX-License-Identifier: Apache-2.0
// The processor's tiles.
#if defined(__x86_64__)

#include <cstdint>
#include <utility>  // integer sequences only

#define ALSBENCH_TILES amx

namespace alsbench::amx {

// Of a thread, while it lives: eight tiles of 16 rows of 64 bytes. The compiler knows nothing of
// them, so each instruction clobbers memory.
class Tiles {
 public:
  Tiles() {
    struct alignas(64) {
      uint8_t palette = 1, start = 0, reserved[14] = {};
      uint16_t row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
      uint8_t rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
    } layout;
    asm volatile("ldtilecfg %0" ::"m"(layout));
  }
  ~Tiles() { asm volatile("tilerelease" ::: "memory"); }
  Tiles(const Tiles&) = delete;
  Tiles& operator=(const Tiles&) = delete;

  template <int kTile>
  void zero() {
    asm volatile("tilezero %%tmm%c0" ::"i"(kTile));
  }
  template <int kTile>
  void load(const void* from) {
    asm volatile("tileloadd (%0,%1,1), %%tmm%c2" ::"r"(from), "r"(int64_t{64}), "i"(kTile)
                 : "memory");
  }
  template <int kTile>
  void save(void* to) {
    asm volatile("tilestored %%tmm%c2, (%0,%1,1)" ::"r"(to), "r"(int64_t{64}), "i"(kTile)
                 : "memory");
  }
  // C += A B, of signed bytes.
  template <int kC, int kA, int kB>
  void multiply_bytes() {
    asm volatile("tdpbssd %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kC), "i"(kA), "i"(kB));
  }
  // The same of bf16.
  template <int kC, int kA, int kB>
  void multiply_bfloats() {
    asm volatile("tdpbf16ps %%tmm%c2, %%tmm%c1, %%tmm%c0" ::"i"(kC), "i"(kA), "i"(kB));
  }

  using Floats [[gnu::vector_size(64)]] = float;
  using Shorts [[gnu::vector_size(64)]] = int16_t;
  // Both as bf16, one behind the other.
  static Shorts to_bfloats(Floats low, Floats high) {
    Shorts both;
    asm("vcvtne2ps2bf16 %1, %2, %0" : "=v"(both) : "v"(low), "v"(high));
    return both;
  }
};

}  // namespace alsbench::amx

#include "kernels/cpu/tiles/body.h"

namespace alsbench {

extern const TileKernels kAmxTiles[] = {
    amx::kernels<amx::ByteBlock>("amx", TileElement::int8),
    amx::kernels<amx::BfloatBlock>("amx_bf16", TileElement::bf16)};

}  // namespace alsbench

#endif
