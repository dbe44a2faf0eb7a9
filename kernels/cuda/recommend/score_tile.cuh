// SPDX-License-Identifier: Apache-2.0
// Scores of a tile, users by items, in the registers of a block: tensor cores multiply floats as
// two parts of 11 bits each. Of the four products of parts the smallest is left out, as are the
// last bits of small parts: together less than 2^-20 of a product.
#pragma once

#include "kernels/cuda/device/mma.cuh"
#include "kernels/cuda/recommend/layout.cuh"

namespace alsbench {

// A float rounded to 11 bits, and the rest of it, of which tensor cores read as many.
template <int kWords>
struct FloatParts {
  uint32_t high[kWords], low[kWords];

  __device__ __forceinline__ void split(int i, uint32_t word) {
    constexpr uint32_t kHalf = 1u << 12, kRead = 0xffffe000u;
    high[i] = (word + kHalf) & kRead;
    const float rest = __uint_as_float(word) - __uint_as_float(high[i]);
    low[i] = (__float_as_uint(rest) + kHalf) & kRead;
  }
};

template <int kRank, int kRows, int kItems>
class ScoreTile {
  static constexpr TopKLayout kLayout{kRank, kRows, kItems};
  static constexpr int kRowWarps = 2, kItemWarps = TopKLayout::kThreads / 32 / kRowWarps;
  static constexpr int kRowTiles = kRows / kRowWarps / 16, kItemTiles = kItems / kItemWarps / 8;
  static_assert(kRowTiles > 0 && kItemTiles % 2 == 0, "a warp has tiles of 16 by 16");

 public:
  // `rows`, `items`: where the factor rows lie in shared memory.
  __device__ __forceinline__ void multiply(uint32_t rows, uint32_t items) {
    clear();
    const uint32_t place = fresh_lane() % 16 * kLayout.pitch_bytes() + fresh_lane() / 16 * 16;
    rows += first_row() * kLayout.pitch_bytes() + place;
    items += first_item() * kLayout.pitch_bytes() + place;
#pragma unroll 1
    for (int k = 0; k < kLayout.columns() / 8; ++k, rows += 32, items += 32) {
      FloatParts<2> b[kItemTiles];
#pragma unroll
      for (int n = 0; n < kItemTiles; n += 2) {
        uint32_t raw[4];
        load_blocks(raw, items + 8 * n * kLayout.pitch_bytes());
#pragma unroll
        for (int i = 0; i < 4; ++i) b[n + i % 2].split(i / 2, raw[i]);
      }
#pragma unroll
      for (int m = 0; m < kRowTiles; ++m) {
        uint32_t raw[4];
        load_blocks(raw, rows + 16 * m * kLayout.pitch_bytes());
        FloatParts<4> a;
#pragma unroll
        for (int i = 0; i < 4; ++i) a.split(i, raw[i]);
#pragma unroll
        for (int n = 0; n < kItemTiles; ++n)
          multiply_add<Tf32>(sums_[m][n], a.low, b[n].high[0], b[n].high[1]);
#pragma unroll
        for (int n = 0; n < kItemTiles; ++n)
          multiply_add<Tf32>(sums_[m][n], a.high, b[n].low[0], b[n].low[1]);
#pragma unroll
        for (int n = 0; n < kItemTiles; ++n)
          multiply_add<Tf32>(sums_[m][n], a.high, b[n].high[0], b[n].high[1]);
      }
    }
  }

  // Calls visit(row, item, score) for the thread's scores above their row's threshold; numbers in
  // the tile.
  template <typename Visit>
  __device__ __forceinline__ void for_each_above(const float* thresholds, Visit visit) const {
    const int lane = fresh_lane();
#pragma unroll
    for (int m = 0; m < kRowTiles; ++m)
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        const int row = first_row() + 16 * m + 8 * half + lane / 4;
        const float threshold = thresholds[row];
        bool any = false;
#pragma unroll
        for (int e = 0; e < 2 * kItemTiles; ++e) any |= score(m, half, e) > threshold;
        if (!any) continue;
#pragma unroll
        for (int e = 0; e < 2 * kItemTiles; ++e)
          if (score(m, half, e) > threshold)
            visit(row, first_item() + 8 * (e / 2) + lane % 4 * 2 + e % 2, score(m, half, e));
      }
  }

 private:
  static __device__ __forceinline__ int warp() { return static_cast<int>(threadIdx.x) / 32; }
  static __device__ __forceinline__ int first_row() {
    return warp() / kItemWarps * (16 * kRowTiles);
  }
  static __device__ __forceinline__ int first_item() {
    return warp() % kItemWarps * (8 * kItemTiles);
  }
  __device__ __forceinline__ float score(int m, int half, int e) const {
    return sums_[m][e / 2][2 * half + e % 2];
  }
  __device__ __forceinline__ void clear() {
#pragma unroll
    for (int m = 0; m < kRowTiles; ++m)
#pragma unroll
      for (int n = 0; n < kItemTiles; ++n)
#pragma unroll
        for (int e = 0; e < 4; ++e) sums_[m][n][e] = 0;
  }

  float sums_[kRowTiles][kItemTiles][4];
};

}  // namespace alsbench
