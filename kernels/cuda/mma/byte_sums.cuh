// SPDX-License-Identifier: Apache-2.0
// Sums of products of bytes, and how they are scaled. Those of signed integers are exact. The sum n
// is held as the bits of the float kBiasedZero + n, which is a number as long as |n| < 2^22: one
// FFMA then converts and scales it, where a conversion takes eight times as long.
#pragma once

#include "kernels/cuda/device/choice.cuh"
#include "kernels/cuda/device/lane.cuh"
#include "kernels/cuda/mma/layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

inline constexpr float kBiasedZero = 12582912.0f;  // of the bits kBiasedZeroBits
inline constexpr int kMaxBiased = 1 << 22;         // in magnitude

template <typename Byte>
constexpr bool kSumsAreIntegers = false;
template <>
constexpr bool kSumsAreIntegers<Int8> = true;
template <typename Byte>
using SumOf = typename Choice<kSumsAreIntegers<Byte>, int, float>::Type;

// The tiles of a row with what its columns and rows are to be multiplied by. `Word` is int, as
// above, or float, as those of pieces and of e4m3 are.
template <int kTiles, typename Word, typename Byte = Int8>
struct ScaledSums {
  Word (&tiles)[kTiles][4];
  const float* scales;  // a float a column, in shared memory
};

// The block copies the scales of the fixed factors to shared memory, MmaLayout::scales() floats.
// Ends with a barrier.
template <int kRank, bool kWarpgroups = false>
__device__ __forceinline__ void load_scales(const UpdateParams& p, float* scales) {
  constexpr MmaLayout kLayout = team_layout(kRank, kWarpgroups);
  constexpr int kMoved = kLayout.columns() - ByteFactors{kRank}.columns();  // those of the ratings
  const auto* source = static_cast<const float*>(p.factors.data);
  for (int i = threadIdx.x; i < kLayout.scales(); i += blockDim.x)
    scales[i] = kMoved == 0 || i < kRank ? source[i]
                : i < kRank + kMoved     ? 0.0f
                                         : source[i - kMoved];
  __syncthreads();
}

// The tiles and the scales of a row, whatever it has.
template <int kTiles>
__device__ __forceinline__ const float (&tiles_of(const float (&sums)[kTiles][4]))[kTiles][4] {
  return sums;
}
template <int kTiles, typename Word, typename Byte>
__device__ __forceinline__ Word (&tiles_of(const ScaledSums<kTiles, Word, Byte>& sums))[kTiles][4] {
  return sums.tiles;
}
template <int kTiles>
__device__ __forceinline__ const float* scales_of(const float (&)[kTiles][4]) {
  return nullptr;
}
template <int kTiles, typename Word, typename Byte>
__device__ __forceinline__ const float* scales_of(const ScaledSums<kTiles, Word, Byte>& sums) {
  return sums.scales;
}
// The bytes that such sums are of; void where sums have no scales.
template <typename Sums>
struct BytesOfSums {
  using Type = void;
};
template <int kTiles, typename Word, typename Byte>
struct BytesOfSums<ScaledSums<kTiles, Word, Byte>> {
  using Type = Byte;
};
template <typename Sums>
using BytesOf = typename BytesOfSums<Sums>::Type;
template <typename Byte>
constexpr bool kHasScales = true;
template <>
constexpr bool kHasScales<void> = false;
template <typename Sums>
constexpr bool kIsScaled = kHasScales<BytesOf<Sums>>;

// Whether they were added up from the pieces of a row: of signed bytes these are floats.
template <typename Sums>
constexpr bool kSumsOfPieces = false;
template <int kTiles>
constexpr bool kSumsOfPieces<ScaledSums<kTiles, float, Int8>> = true;

template <int kTiles>
__device__ __forceinline__ void clear_sums(int (&sums)[kTiles][4]) {
#pragma unroll
  for (int i = 0; i < kTiles; ++i)
#pragma unroll
    for (int e = 0; e < 4; ++e) sums[i][e] = kBiasedZeroBits;
}

// A sum times a power of two; an integer one below kMaxBiased in magnitude.
__device__ __forceinline__ float scaled_value(float sum, float scale) { return sum * scale; }
__device__ __forceinline__ float scaled_value(int sum, float scale) {
  return fmaf(__int_as_float(sum), scale, -kBiasedZero * scale);
}

// Makes all integers multiples of a power of two, which is returned, where `largest`, of which none
// is greater in magnitude, is not below kMaxBiased; `largest` becomes that of the multiples.
template <int kTiles>
__device__ __forceinline__ float fit_biased(int (&sums)[kTiles][4], int& largest) {
  if (largest < kMaxBiased) return 1;
  const int shift = 10 - __clz(largest);
  const int round = (1 << (shift - 1)) - kBiasedZeroBits;
#pragma unroll
  for (int i = 0; i < kTiles; ++i)
#pragma unroll
    for (int e = 0; e < 4; ++e) sums[i][e] = ((sums[i][e] + round) >> shift) + kBiasedZeroBits;
  largest >>= shift;
  return __int_as_float((127 + shift) << 23);
}
template <int kTiles>
__device__ __forceinline__ float fit_biased(const float (&)[kTiles][4], int&) {
  return 1;
}

__device__ __forceinline__ float value_of(int sum) {
  return static_cast<float>(sum - kBiasedZeroBits);
}
__device__ __forceinline__ float value_of(float sum) { return sum; }

// The sums of a row of `count` ratings as floats.
template <int kTiles>
__device__ __forceinline__ void convert_sums(float (&result)[kTiles][4],
                                             const int (&sums)[kTiles][4], int count) {
  constexpr int kFew = kMaxBiased / (Int8::kLargest * Int8::kLargest);
  if (count <= kFew) {
#pragma unroll
    for (int i = 0; i < kTiles; ++i)
#pragma unroll
      for (int e = 0; e < 4; ++e) result[i][e] = __int_as_float(sums[i][e]) - kBiasedZero;
  } else {
#pragma unroll
    for (int i = 0; i < kTiles; ++i)
#pragma unroll
      for (int e = 0; e < 4; ++e) result[i][e] = value_of(sums[i][e]);
  }
}

// Multiplies a tile by its rows' scales and its columns', exactly rounded: `first_row` and
// `first_column` of the matrix.
template <typename Word>
__device__ __forceinline__ void scale_tile(float (&result)[4], const Word (&tile)[4],
                                           const float* scales, int first_row, int first_column,
                                           int lane) {
  const float* rows = scales + first_row + lane / 4;
  const float* columns = scales + first_column + lane % 4 * 2;
#pragma unroll
  for (int e = 0; e < 4; ++e)
    result[e] = __fmul_rn(value_of(tile[e]), __fmul_rn(rows[e / 2 * 8], columns[e % 2]));
}

// A_u's sums, and b_u's as bias.cuh has them, of all tiles of a row.
template <int kRank, typename Sums>
__device__ __forceinline__ void scale_sums(MmaSums<kRank>& result, const Sums& sums) {
  constexpr MmaLayout kLayout{kRank};
  constexpr int kPairs = kLayout.pairs();
  const int lane = fresh_lane();
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
#pragma unroll
    for (int j = 0; j < 2 * i + 2; ++j)
      scale_tile(result[kLayout.tile(i, j)], sums.tiles[kLayout.tile(i, j)], sums.scales, 16 * i,
                 8 * j, lane);
    if constexpr (kLayout.has_rest())
      scale_tile(result[kLayout.rest_tile(i)], sums.tiles[kLayout.rest_tile(i)], sums.scales,
                 16 * i, 16 * kPairs, lane);
  }
  if constexpr (kLayout.has_rest())
    scale_tile(result[kLayout.rest_tile(kPairs)], sums.tiles[kLayout.rest_tile(kPairs)],
               sums.scales, 16 * kPairs, 16 * kPairs, lane);
}

}  // namespace alsbench
