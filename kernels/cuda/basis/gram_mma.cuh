// SPDX-License-Identifier: Apache-2.0
// gram on tensor cores, as exact as in FP32: a factor is the sum of two TF32 numbers, and of their
// four products the three larger ones are summed. A block sums a tile of the lower triangle over a
// slice of the rows, as gram.cuh does, whose gram_sum comes after it.
#pragma once

#include "kernels/cuda/basis/gram.cuh"
#include "kernels/cuda/device/mma.cuh"

namespace alsbench {

// kDepth rows of kTile factors, in both parts. With these pads a warp's reads meet no bank twice.
struct alignas(16) SplitPanel {
  static constexpr int kPitch = BasisLayout::kTile + 8;
  uint32_t high[BasisLayout::kDepth][kPitch], low[BasisLayout::kDepth][kPitch];

  // Four columns of a row of the factors, as vectors: single words would meet banks four times.
  __device__ __forceinline__ void put(int row, int vector, float4 y, float weight) {
    const float values[4] = {y.x * weight, y.y * weight, y.z * weight, y.w * weight};
    uint32_t upper[4], lower[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const Tf32 rounded = Tf32::of(values[i]);
      upper[i] = rounded.bits;
      lower[i] = Tf32::of(values[i] - rounded.value()).bits;
    }
    *reinterpret_cast<uint4*>(&high[row][4 * vector]) =
        uint4{upper[0], upper[1], upper[2], upper[3]};
    *reinterpret_cast<uint4*>(&low[row][4 * vector]) =
        uint4{lower[0], lower[1], lower[2], lower[3]};
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
__global__ void __launch_bounds__(BasisLayout::kMmaThreads, 5) gram_mma_tiles(GramParams p) {
  constexpr BasisLayout kLayout{kRank};
  constexpr int kDepth = BasisLayout::kDepth, kVectors = BasisLayout::kTile / 4;
  __shared__ SplitPanel left, right;
  const int block = static_cast<int>(blockIdx.x), pair = block % kLayout.pairs();
  const int64_t slice = block / kLayout.pairs();
  const int first_row = kLayout.pair_row(pair) * kVectors;  // in vectors of the factors
  const int first_column = kLayout.pair_column(pair) * kVectors;
  const int64_t begin = slice * p.factors.rows / p.slices;
  const int64_t end = (slice + 1) * p.factors.rows / p.slices;
  // Operands that a thread brings to a step of both panels, read while the step before is
  // multiplied.
  constexpr int kParts = kDepth * kVectors / BasisLayout::kMmaThreads;
  float4 y[2][kParts];
  float weights[kParts];
  const auto read = [&](int64_t base) {
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      const int i = part * BasisLayout::kMmaThreads + static_cast<int>(threadIdx.x);
      const int64_t row = base + i / kVectors;
      weights[part] =
          row < end ? static_cast<float>(p.ratings.offsets[row + 1] - p.ratings.offsets[row]) : 0;
      y[0][part] = factor_vector(p.factors, row, end, first_row + i % kVectors);
      y[1][part] = factor_vector(p.factors, row, end, first_column + i % kVectors);
    }
  };
  SplitSums sums;
  read(begin);
  for (int64_t base = begin; base < end; base += kDepth) {
    __syncthreads();
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      const int i = part * BasisLayout::kMmaThreads + static_cast<int>(threadIdx.x);
      left.put(i / kVectors, i % kVectors, y[0][part], weights[part]);
      right.put(i / kVectors, i % kVectors, y[1][part], 1.0f);
    }
    __syncthreads();
    read(base + kDepth);
    sums.add(left, right);
  }
  sums.store(static_cast<float*>(p.workspace) + int64_t{block} * BasisLayout::kPairElements);
}

}  // namespace alsbench
