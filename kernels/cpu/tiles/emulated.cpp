// SPDX-License-Identifier: Apache-2.0
// An emulation of AMX tiles, for tests on processors that have none.
#include <cstdint>
#include <utility>

#include "kernels/cpu/element.h"
#include "kernels/cpu/tiles/emulated_products.h"

#define ALSBENCH_TILES emulated_amx

namespace alsbench::emulated_amx {

class Tiles {
 public:
  template <int kTile>
  void zero() {
    tiles_[kTile] = {};
  }
  template <int kTile>
  void load(const void* from) {
    __builtin_memcpy(&tiles_[kTile], from, sizeof(Tile));
  }
  template <int kTile>
  void save(void* to) {
    __builtin_memcpy(to, &tiles_[kTile], sizeof(Tile));
  }
  template <int kC, int kA, int kB>
  void multiply_bytes() {
    emulated_amx::multiply_bytes(tiles_[kA], tiles_[kB], tiles_[kC]);
  }
  template <int kC, int kA, int kB>
  void multiply_bfloats() {
    emulated_amx::multiply_bfloats(tiles_[kA], tiles_[kB], tiles_[kC]);
  }

  using Floats [[gnu::vector_size(64)]] = float;
  using Shorts [[gnu::vector_size(64)]] = int16_t;
  static Shorts to_bfloats(const Floats& low, const Floats& high) {
    Shorts both;
    for (int i = 0; i < 16; ++i) {
      both[i] = static_cast<int16_t>(float_to_bfloat(flushed(low[i])));
      both[16 + i] = static_cast<int16_t>(float_to_bfloat(flushed(high[i])));
    }
    return both;
  }

 private:
  Tile tiles_[8];
};

}  // namespace alsbench::emulated_amx

#include "kernels/cpu/tiles/body.h"

namespace alsbench {
namespace {

constexpr TileKernels kEmulatedTiles[] = {
    emulated_amx::kernels<emulated_amx::ByteBlock>("emulated", TileElement::int8),
    emulated_amx::kernels<emulated_amx::BfloatBlock>("emulated_bf16", TileElement::bf16)};

}  // namespace

const TileKernels& emulated_tiles(TileElement element) {
  return kEmulatedTiles[static_cast<int>(element)];
}

}  // namespace alsbench
