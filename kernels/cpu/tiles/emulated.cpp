// SPDX-License-Identifier: Apache-2.0
// An emulation of AMX tiles, for tests on processors that have none.
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

#include "kernels/cpu/element.h"

#define ALSBENCH_TILES emulated_amx

namespace alsbench::emulated_amx {
namespace {

// How the processor computes with bf16, whatever MXCSR says: to nearest, ties to even, and numbers
// below the least normal one are zeros, which may be operands as well as results (Intel's manual,
// TDPBF16PS and VCVTNE2PS2BF16).
constexpr double kMinNormal = 0x1p-126;

float flushed(float value) {
  return std::abs(value) < kMinNormal ? std::copysign(0.0f, value) : value;
}
double to_double(uint16_t bfloat) { return flushed(bfloat_to_float(bfloat)); }

// The float next to the sum of a product of two bf16, which a double holds, and a float. First the
// sum is rounded to odd, so the second rounding is as if it were the only one (Boldo and Melquiond,
// Emulation of FMA and correctly rounded sums, IEEE ToC 2008). Whether it is tiny, the processor
// asks once it is rounded to 24 bits: half a unit of these below the least normal one.
double flushed_sum(double a, double b) {
  constexpr double kMinKept = kMinNormal - 0x1p-151;
  const double sum = a + b, part = sum - a;
  if (!std::isfinite(sum)) return sum;
  const double rest = (a - (sum - part)) + (b - part);
  auto bits = std::bit_cast<int64_t>(sum);
  if (rest != 0 && bits % 2 == 0) bits += (rest > 0) == (sum > 0) ? 1 : -1;
  const auto odd = std::bit_cast<double>(bits);
  return std::abs(odd) < kMinKept ? std::copysign(0.0, odd) : static_cast<float>(odd);
}

}  // namespace

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
    for (int i = 0; i < 16; ++i)
      for (int k = 0; k < 16; ++k)
        for (int j = 0; j < 16; ++j)
          for (int e = 0; e < 4; ++e)
            tiles_[kC].words[i][j] +=
                tiles_[kA].bytes[i][4 * k + e] * tiles_[kB].bytes[k][4 * j + e];
  }
  // Products of first elements and of second ones are each added up from zero by FMA; then both
  // sums, and that to C.
  template <int kC, int kA, int kB>
  void multiply_bfloats() {
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        double sums[2] = {};
        for (int k = 0; k < 16; ++k)
          for (int e = 0; e < 2; ++e) {
            const double product = to_double(tiles_[kA].bfloats[i][2 * k + e]) *
                                   to_double(tiles_[kB].bfloats[k][2 * j + e]);
            sums[e] = flushed_sum(product, sums[e]);
          }
        float& c = tiles_[kC].floats[i][j];
        c = static_cast<float>(flushed_sum(flushed(c), flushed_sum(sums[0], sums[1])));
      }
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
  union Tile {
    int32_t words[16][16];
    float floats[16][16];
    int8_t bytes[16][64];
    uint16_t bfloats[16][32];
  };
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
