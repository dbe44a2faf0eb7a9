// SPDX-License-Identifier: Apache-2.0
// gram on tensor cores, as exact as in FP32: a factor is the sum of two TF32 numbers, and of their
// four products the three larger ones are summed. A block sums a tile of the lower triangle over a
// slice of the rows, as gram.cuh does, whose gram_sum comes after it.
#pragma once

#include "kernels/cuda/basis/gram.cuh"
#include "kernels/cuda/device/mma.cuh"

namespace alsbench {

// kDepth rows of kTile factors, in both parts. With these pads a warp's reads meet no bank twice.
struct SplitPanel {
  static constexpr int kPitch = BasisLayout::kTile + 8;
  uint32_t high[BasisLayout::kDepth][kPitch], low[BasisLayout::kDepth][kPitch];

  __device__ __forceinline__ void put(int row, int column, float value) {
    const Tf32 upper = Tf32::of(value);
    high[row][column] = upper.bits;
    low[row][column] = Tf32::of(value - upper.value()).bits;
  }
  // Four columns of a row of the factors.
  __device__ __forceinline__ void put(int row, int vector, float4 y, float weight) {
    put(row, 4 * vector, y.x * weight), put(row, 4 * vector + 1, y.y * weight);
    put(row, 4 * vector + 2, y.z * weight), put(row, 4 * vector + 3, y.w * weight);
  }
};

// A warp's quarter of the tile: 32 x 32.
class SplitSums {
 public:
  __device__ __forceinline__ SplitSums()
      : group_(threadIdx.x % 32 / 4),
        lane_(threadIdx.x % 4),
        first_row_(threadIdx.x / 64 * 32),
        first_column_(threadIdx.x / 32 % 2 * 32) {}

  // sums += left^T right.
  __device__ __forceinline__ void add(const SplitPanel& left, const SplitPanel& right) {
#pragma unroll
    for (int k = 0; k < BasisLayout::kDepth; k += 8) {
      uint32_t high[2][4], low[2][4];
#pragma unroll
      for (int i = 0; i < 2; ++i) {
        read(high[i], left.high, k, first_row_ + 16 * i);
        read(low[i], left.low, k, first_row_ + 16 * i);
      }
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const int column = first_column_ + 8 * j + group_;
        const uint32_t high0 = right.high[k + lane_][column];
        const uint32_t high1 = right.high[k + lane_ + 4][column];
        const uint32_t low0 = right.low[k + lane_][column];
        const uint32_t low1 = right.low[k + lane_ + 4][column];
#pragma unroll
        for (int i = 0; i < 2; ++i) {  // the small ones first
          multiply_add<Tf32>(sums_[i][j], low[i], high0, high1);
          multiply_add<Tf32>(sums_[i][j], high[i], low0, low1);
          multiply_add<Tf32>(sums_[i][j], high[i], high0, high1);
        }
      }
    }
  }
  // To a tile of kTile x kTile floats.
  __device__ __forceinline__ void store(float* target) const {
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int j = 0; j < 4; ++j)
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          const int row = first_row_ + 16 * i + 8 * half + group_;
          const int column = first_column_ + 8 * j + 2 * lane_;
          *reinterpret_cast<float2*>(target + row * BasisLayout::kTile + column) =
              float2{sums_[i][j][2 * half], sums_[i][j][2 * half + 1]};
        }
  }

 private:
  // An operand A: 16 columns of the panel by 8 of its rows.
  __device__ __forceinline__ void read(
      uint32_t (&a)[4], const uint32_t (&panel)[BasisLayout::kDepth][SplitPanel::kPitch], int k,
      int column) const {
    a[0] = panel[k + lane_][column + group_], a[1] = panel[k + lane_][column + group_ + 8];
    a[2] = panel[k + lane_ + 4][column + group_], a[3] = panel[k + lane_ + 4][column + group_ + 8];
  }

  int group_, lane_, first_row_, first_column_;
  float sums_[2][4][4] = {};
};

// Grid and workspace as of gram_tiles.
template <int kRank>
__global__ void __launch_bounds__(BasisLayout::kMmaThreads) gram_mma_tiles(GramParams p) {
  constexpr BasisLayout kLayout{kRank};
  constexpr int kDepth = BasisLayout::kDepth, kVectors = BasisLayout::kTile / 4;
  __shared__ SplitPanel left, right;
  const int block = static_cast<int>(blockIdx.x), pair = block % kLayout.pairs();
  const int64_t slice = block / kLayout.pairs();
  const int first_row = kLayout.pair_row(pair) * kVectors;  // in vectors of the factors
  const int first_column = kLayout.pair_column(pair) * kVectors;
  const int64_t begin = slice * p.factors.rows / p.slices;
  const int64_t end = (slice + 1) * p.factors.rows / p.slices;
  SplitSums sums;
  for (int64_t base = begin; base < end; base += kDepth) {
    __syncthreads();
#pragma unroll
    for (int i = threadIdx.x; i < kDepth * kVectors; i += BasisLayout::kMmaThreads) {
      const int64_t row = base + i / kVectors;
      const float weight =
          row < end ? static_cast<float>(p.ratings.offsets[row + 1] - p.ratings.offsets[row]) : 0;
      left.put(i / kVectors, i % kVectors,
               factor_vector(p.factors, row, end, first_row + i % kVectors), weight);
      right.put(i / kVectors, i % kVectors,
                factor_vector(p.factors, row, end, first_column + i % kVectors), 1.0f);
    }
    __syncthreads();
    sums.add(left, right);
  }
  sums.store(static_cast<float*>(p.workspace) + int64_t{block} * BasisLayout::kPairElements);
}

}  // namespace alsbench
