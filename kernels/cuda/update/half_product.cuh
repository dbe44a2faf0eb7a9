// SPDX-License-Identifier: Apache-2.0
// The products A_u p of conjugate gradients by one warp on tensor cores: all of A_u in registers,
// as halves, the triangle mirrored once a row. p goes in as the sum of two halves, so only A_u is
// rounded. Neighbouring tiles of the sums are an operand A as they lie.
#pragma once

#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/mma.cuh"
#include "kernels/cuda/mma/bias.cuh"
#include "kernels/cuda/mma/byte_sums.cuh"
#include "kernels/cuda/update/tile_product.cuh"
#include "kernels/shared/views.h"

namespace alsbench {

// The largest of the lanes' values, none of which is negative (sm_80 and newer).
__device__ __forceinline__ float warp_max(float value) {
  return __uint_as_float(__reduce_max_sync(0xffffffffu, __float_as_uint(value)));
}

// The scale of half_scale_bits.
__device__ __forceinline__ float power_of_two_for(float largest) {
  return __uint_as_float(half_scale_bits(__float_as_uint(largest)));
}
// That for the largest value of the lanes of a warp.
__device__ __forceinline__ float warp_half_scale(float largest) {
  return power_of_two_for(warp_max(largest));
}

// The sums of floats are A_u's; integer ones are in proportion to A_u once their rows and columns
// are multiplied by scales, which the vectors are in their place: before the product and after it.
template <int kRank, typename Sums>
class HalfProduct {
  static constexpr MmaLayout kLayout{kRank};
  static constexpr int kPairs = kLayout.pairs(), kBlocks = kLayout.columns() / 8;
  static constexpr int kVectors = (kBlocks + 3) / 4;  // of four blocks
  using Owned = OwnedElements<kRank>;

 public:
  // `shared`: as of TileProduct. Integer sums may change.
  __device__ __forceinline__ HalfProduct(const Sums& row, int lane, float* shared)
      : lane_(lane), vector_(shared), scales_(scales_of(row)), halves_(shared + kLayout.columns()) {
    for (int i = lane; i < 32 * kVectors; i += 32) halves_[i] = 0;
    auto& sums = tiles_of(row);
    float unit = 1;
    const float scale = warp_half_scale(largest(sums, unit));
    inverse_scale_ = inverse_power(scale) * unit;
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
#pragma unroll
      for (int j = 0; j <= i; ++j)
#pragma unroll
        for (int part = 0; part < 4; ++part)
          blocks_[i][j][part] = packed(sums[kLayout.tile(i, 2 * j + part / 2)], part % 2, scale,
                                       2 * i + part % 2, 2 * j + part / 2);
      if constexpr (kLayout.rest_has_features())
#pragma unroll
        for (int half = 0; half < 2; ++half)
          right_[i][half] =
              packed(sums[kLayout.rest_tile(i)], half, scale, 2 * i + half, kBlocks - 1);
    }
    if constexpr (kLayout.rest_has_features())
      corner_ = packed(sums[kLayout.rest_tile(kPairs)], 0, scale, kBlocks - 1, kBlocks - 1);
    mirror();
  }

  // As TileProduct::multiply.
  __device__ __forceinline__ void multiply(float (&product)[Owned::kCount]) const {
    uint32_t v[4 * kVectors];
    const float inverse = inverse_scale_ * split_vector(v);
    float rows[kLayout.rows()][4] = {}, below[4] = {};
    const bool lower = lane_ / 8 % 2 != 0;
#pragma unroll
    for (int j = 0; j < kPairs; ++j) {
#pragma unroll
      for (int i = 0; i < kPairs; ++i)
        multiply_add<Half>(rows[i], blocks_[i][j], v[2 * j], v[2 * j + 1]);
      // The columns 0, 1, 4 and 5 of the operand B are for the upper 8 of these rows.
      if (kLayout.rest_has_features() && j % 2 == 0)
        multiply_add<Half>(below, below_[j / 2], lower ? v[2 * j + 2] : v[2 * j],
                           lower ? v[2 * j + 3] : v[2 * j + 1]);
    }
    if constexpr (kLayout.rest_has_features()) {
#pragma unroll
      for (int i = 0; i < kPairs; ++i) multiply_add(rows[i], right_[i], v[2 * kPairs]);
      const uint32_t corner[2] = {corner_, 0};
      multiply_add(below, corner, v[2 * kPairs]);
      const float sum = lane_ % 2 == 0 ? below[0] + below[1] : below[2] + below[3];
      rows[kPairs][0] = sum + __shfl_xor_sync(0xffffffffu, sum, 1);
    }
    __syncwarp();
#pragma unroll
    for (int q = 0; q < Owned::kCount; ++q) {
      // All four lanes of a row have it, of all blocks; each owns one of four blocks.
      const bool odd = lane_ % 2 != 0, high = lane_ % 4 >= 2;
      const float a = odd ? row_sum(rows, 4 * q + 1) : row_sum(rows, 4 * q);
      const float b = odd ? row_sum(rows, 4 * q + 3) : row_sum(rows, 4 * q + 2);
      product[q] = (high ? b : a) * inverse;
    }
    if constexpr (kScaled) Owned{lane_}.for_each([&](int q, int e) { product[q] *= scales_[e]; });
  }

 private:
  static constexpr bool kScaled = kIsScaled<Sums>;
  // The ratings stand in the last two columns and rows: the sums there are not A_u's.
  __device__ __forceinline__ bool is_of_ratings(int row_block, int column_block) const {
    return (column_block == kBlocks - 1 && lane_ % 4 == 3) ||
           (row_block == kBlocks - 1 && lane_ / 4 >= 6);
  }

  // The largest element of this lane in the blocks on the diagonal. No element of A_u is larger
  // than all on the diagonal.
  template <typename Word>
  __device__ __forceinline__ Word largest_word(const Word (&sums)[kLayout.tiles()][4]) const {
    Word largest = 0;
#pragma unroll
    for (int block = 0; block < kBlocks; ++block) {
      const int tile =
          block < 2 * kPairs ? kLayout.tile(block / 2, block) : kLayout.rest_tile(kPairs);
      const int first = block < 2 * kPairs ? block % 2 * 2 : 0;
      const Word a = magnitude(sums[tile][first]), b = magnitude(sums[tile][first + 1]);
      const Word two = a > b ? a : b, own = is_of_ratings(block, block) ? 0 : two;
      largest = largest > own ? largest : own;
    }
    return largest;
  }
  static __device__ __forceinline__ float magnitude(float sum) { return fabsf(sum); }
  static __device__ __forceinline__ int magnitude(int sum) { return sum; }  // none is negative
  __device__ __forceinline__ float largest(const float (&sums)[kLayout.tiles()][4], float&) const {
    return largest_word(sums);
  }
  // `unit`: what integers then are multiples of.
  __device__ __forceinline__ float largest(int (&sums)[kLayout.tiles()][4], float& unit) const {
    int largest = static_cast<int>(
                      __reduce_max_sync(0xffffffffu, static_cast<uint32_t>(largest_word(sums)))) -
                  kBiasedZeroBits;
    unit = fit_biased(sums, largest);
    return static_cast<float>(largest);
  }

  // Half 0 or 1 of a tile, its first or second 8 rows, as halves.
  template <typename Word>
  __device__ __forceinline__ uint32_t packed(const Word (&tile)[4], int half, float scale,
                                             int row_block, int column_block) const {
    const uint32_t word =
        pack_halves(scaled_value(tile[2 * half], scale), scaled_value(tile[2 * half + 1], scale));
    return is_of_ratings(row_block, column_block) ? 0 : word;
  }
  __device__ __forceinline__ void mirror() {
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
#pragma unroll
      for (int j = 0; j < i; ++j)
#pragma unroll
        for (int part = 0; part < 4; ++part)
          blocks_[j][i][part] = transposed(blocks_[i][j][part % 2 * 2 + part / 2]);
      if constexpr (kLayout.rest_has_features())
#pragma unroll
        for (int half = 0; half < 2; ++half)
          below_[i / 2][2 * half + i % 2] = transposed(right_[i][half]);
    }
  }

  // The vector as the operand B: its upper halves in the even columns, what they miss in the odd
  // ones; v[i] are the rows 8 i to 8 i + 7. Returns what undoes the scale. In shared memory a word
  // is a pair of elements, and a lane's words of four blocks of 8 elements are neighbours.
  __device__ __forceinline__ float split_vector(uint32_t (&v)[4 * kVectors]) const {
    const Owned owned{lane_};
    float own[Owned::kCount] = {}, largest = 0;
    owned.for_each([&](int q, int e) {
      own[q] = vector_[e];
      if constexpr (kScaled) own[q] *= scales_[e];
      largest = fmaxf(largest, fabsf(own[q]));
    });
    const float scale = warp_half_scale(largest);
    auto* target =
        reinterpret_cast<uint16_t*>(halves_) + lane_ / 8 * 8 + lane_ % 4 * 2 + lane_ / 4 % 2;
    owned.for_each([&](int q, int) {
      const float scaled = own[q] * scale;
      const uint16_t upper = float_to_half(scaled);
      target[64 * q] = upper;
      target[64 * q + 32] = float_to_half(scaled - half_to_float(upper));
    });
    __syncwarp();
    const auto* source = reinterpret_cast<const uint4*>(halves_) + lane_ % 8;
#pragma unroll
    for (int q = 0; q < kVectors; ++q) {
      const uint4 words = source[8 * q];
      v[4 * q] = words.x, v[4 * q + 1] = words.y, v[4 * q + 2] = words.z, v[4 * q + 3] = words.w;
    }
    return inverse_power(scale);
  }

  // Of a block's row l / 4: the products of the vector's upper halves and of the rest.
  static __device__ __forceinline__ float row_sum(const float (&rows)[kLayout.rows()][4],
                                                  int block) {
    if (block >= kBlocks) return 0;
    return rows[block / 2][block % 2 * 2] + rows[block / 2][block % 2 * 2 + 1];
  }

  static constexpr int kSome = kPairs > 0 ? kPairs : 1;
  int lane_;
  const float* vector_;
  const float* scales_;
  float* halves_;
  float inverse_scale_;
  uint32_t blocks_[kSome][kSome][4];  // of 16 x 16, as the operand A
  // Where 8 columns are left over: they; the same mirrored, of two blocks one below the other.
  uint32_t right_[kSome][2], below_[(kSome + 1) / 2][4] = {};
  uint32_t corner_;
};

}  // namespace alsbench
