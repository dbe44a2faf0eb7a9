// SPDX-License-Identifier: Apache-2.0
// An emulation of AMX tiles, for tests on processors that have none.
#include <cstdint>
#include <utility>  // integer sequences only

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
  void multiply() {
    for (int i = 0; i < 16; ++i)
      for (int k = 0; k < 16; ++k)
        for (int j = 0; j < 16; ++j)
          for (int e = 0; e < 4; ++e)
            tiles_[kC].words[i][j] +=
                tiles_[kA].bytes[i][4 * k + e] * tiles_[kB].bytes[k][4 * j + e];
  }

 private:
  union Tile {
    int32_t words[16][16];
    int8_t bytes[16][64];
  };
  Tile tiles_[8];
};

}  // namespace alsbench::emulated_amx

#include "kernels/cpu/tiles/body.h"

namespace alsbench {
namespace {

constexpr TileKernels kEmulatedTiles = emulated_amx::kernels("emulated");

}  // namespace

const TileKernels& emulated_tiles() { return kEmulatedTiles; }

}  // namespace alsbench
