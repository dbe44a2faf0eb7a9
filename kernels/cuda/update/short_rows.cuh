// SPDX-License-Identifier: Apache-2.0
// CG for rows whose ratings' factors, as signed bytes, stay in shared memory: they are gathered
// once, and A_u is never formed. A product A_u v is sum q (q . v) of bytes q on tensor cores: first
// a number q . v for each rating, then the sums of q times these numbers. The numbers that bytes
// are multiplied by are integers of three bytes, which are three columns of an operand, so the sums
// are exact and a product is as exact as in floats. Against forming A_u it saves the outer products
// and, above all, the fixed cost of a row. Block: one row after another of a class of lengths, each
// shared by its warps.
#pragma once

#include "kernels/cuda/device/bytes.cuh"
#include "kernels/cuda/device/mma.cuh"
#include "kernels/cuda/mma/bias.cuh"
#include "kernels/cuda/mma/byte_sums.cuh"
#include "kernels/cuda/mma/multiply.cuh"
#include "kernels/cuda/update/short_layout.cuh"
#include "kernels/cuda/update/solution.cuh"
#include "kernels/cuda/update/tile_cg.cuh"

namespace alsbench {

// Numbers as integers of three signed bytes: value = unit * (65536 high + 256 middle + low).
inline constexpr float kMaxDigits = 127 * 65536.0f;
// The inverse of the unit for numbers of at most that magnitude, and the unit.
__device__ __forceinline__ float digits_per_unit(float largest) {
  return largest > 0 ? kMaxDigits / largest : 0.0f;
}
__device__ __forceinline__ float digits_unit(float largest) { return largest * (1 / kMaxDigits); }
// The integer's bytes; the lowest is the lowest digit.
__device__ __forceinline__ uint32_t digits_of(float value, float per_unit) {
  constexpr uint32_t kBias = 0x808080u;
  return (static_cast<uint32_t>(to_integer(value * per_unit)) + kBias) ^ kBias;
}
__device__ __forceinline__ void store_digits(uint32_t digits, uint32_t address, int pitch) {
  store_shared_byte(address, digits >> 16);
  store_shared_byte(address + pitch, digits >> 8);
  store_shared_byte(address + 2 * pitch, digits);
}

// An operand B has the digits in its columns so that a product leaves the two higher ones of row g
// + 4 t in lane (g, t) for even t, and the lowest in the lane next to it.
__device__ __forceinline__ int digit_of_lane(int lane) {
  const int column = lane / 4 % 4;
  return column < 2 ? column : 2;
}
// Of a tile of 16 rows: the row whose number holds_number() lanes get from number_of().
__device__ __forceinline__ int row_of_lane(int lane) { return lane / 4 + lane % 4 * 4; }
__device__ __forceinline__ bool holds_number(int lane) { return lane % 2 == 0; }
__device__ __forceinline__ float number_of(const int (&sums)[4], int lane) {
  const bool lower = lane % 4 >= 2;
  const float high = __int_as_float(lower ? sums[2] : sums[0]) - kBiasedZero;
  const float middle = __int_as_float(lower ? sums[3] : sums[1]) - kBiasedZero;
  const float low = __shfl_xor_sync(0xffffffffu, high, 1);
  return fmaf(high, 65536.0f, fmaf(middle, 256.0f, low));
}

__device__ __forceinline__ void clear_tile(int (&sums)[4]) {
#pragma unroll
  for (int e = 0; e < 4; ++e) sums[e] = kBiasedZeroBits;
}

template <int kRank, int kWarps, int kRatings>
class ShortRowBlock {
  static constexpr ShortRowLayout kLayout{kRank, kRatings, kWarps};
  static constexpr int kGroup = ShortRowLayout::kGroup, kBlocks = kLayout.blocks();
  static constexpr int kWideBlocks = kLayout.wide_blocks(), kVectors = kLayout.vectors();
  static constexpr int kPitch = kLayout.direction_pitch();
  static constexpr unsigned kAllLanes = 0xffffffffu;
  static_assert(kLayout.warp_groups() <= ShortRowLayout::kMaxGroups, "sums stay exact");

 public:
  static constexpr int kThreads = 32 * kWarps, kOwned = (kRank + kThreads - 1) / kThreads;

  __device__ __forceinline__ explicit ShortRowBlock(char* shared)
      : shared_(shared),
        base_(shared_address(shared)),
        lane_(threadIdx.x % 32),
        warp_(threadIdx.x / 32) {
    for (int i = threadIdx.x; i < 3 * kPitch / 4; i += kThreads)
      reinterpret_cast<uint32_t*>(shared + kLayout.direction_at())[i] = 0;
  }

  __device__ __forceinline__ const float* scales() const {
    return reinterpret_cast<const float*>(shared_ + kLayout.scales_at());
  }
  // The elements of a vector that a thread owns: visit(i, e) gets each element e, its i-th.
  template <typename Visit>
  static __device__ __forceinline__ void for_each_owned(Visit&& visit) {
#pragma unroll
    for (int i = 0; i < kOwned; ++i)
      if (const int e = static_cast<int>(threadIdx.x) + i * kThreads; e < kRank) visit(i, e);
  }
  static __device__ __forceinline__ void sync() {
    if constexpr (kWarps == 1)
      __syncwarp();
    else
      __syncthreads();
  }

  // This warp's groups of a row: starts copying their factors and puts the ratings next to them, on
  // the grid that variants of bytes multiply.
  template <bool kL1>
  __device__ __forceinline__ void gather(const UpdateParams& p, const RowItem& row) {
    groups_ = 0;
    const int count = row.count();
    const auto* rows = static_cast<const char*>(p.factors.data) + ByteFactors{kRank}.rows_at();
    const float grid = 0.5f * p.ratings.half_scale, step = inverse_power(grid);
    for (int first = warp_ * kGroup; first < count; first += kWarps * kGroup, ++groups_) {
      const int cell = first + lane_;
      const bool valid = cell < count;
      const int index = valid ? load_index(p.ratings.indices + row.begin + cell) : -1;
      const float rating = valid ? p.ratings.values[row.begin + cell] : 0.0f;
      numbers(groups_)[lane_] = static_cast<float>(to_integer(rating * grid)) * step;
      const uint32_t target = group_at(groups_);
#pragma unroll
      for (int i = 0; i < kVectors; ++i) {
        const int vector = 32 * i + lane_, cell_of = vector / kVectors, part = vector % kVectors;
        const int from = __shfl_sync(kAllLanes, index, cell_of);
        copy_async_or_clear<kL1>(target + cell_of * kLayout.row_bytes() + part * 16,
                                 rows + (int64_t{from} * kVectors + part) * 16, from);
      }
    }
    commit_copies();
    wait_copies<0>();
    __syncwarp();
  }

  // Element e of what the factors are multiplied by; a barrier of the block is the caller's.
  __device__ __forceinline__ void put(int e, float value, float per_unit) const {
    store_digits(digits_of(value, per_unit),
                 base_ + kLayout.direction_at() + ByteFactors{kRank}.place(e), kPitch);
  }

  // numbers := q . v for each rating, or number - q . v. `unit`: of what put() got.
  template <bool kSubtract>
  __device__ __forceinline__ void multiply_factors(float unit) const {
    uint32_t v[kWideBlocks][2];
    const uint32_t source =
        base_ + kLayout.direction_at() + digit_of_lane(lane_) * kPitch + lane_ % 4 * 4;
#pragma unroll
    for (int k = 0; k < kWideBlocks; ++k)
      v[k][0] = load_shared(source + 32 * k), v[k][1] = load_shared(source + 32 * k + 16);
    const uint32_t first = lane_ % 16 * kLayout.row_bytes() + lane_ / 16 * 16;
#pragma unroll 1
    for (int group = 0; group < groups_; ++group) {
#pragma unroll
      for (int half = 0; half < 2; ++half) {
        int sums[4];
        clear_tile(sums);
#pragma unroll
        for (int k = 0; k < kWideBlocks; ++k) {
          uint32_t a[4];
          load_blocks(a, group_at(group) + first + half * 16 * kLayout.row_bytes() + 32 * k);
          multiply_add(sums, a, v[k][0], v[k][1]);
        }
        const float product = number_of(sums, lane_) * unit;
        if (holds_number(lane_)) {
          float& number = numbers(group)[16 * half + row_of_lane(lane_)];
          number = kSubtract ? number - product : product;
        }
      }
    }
    __syncwarp();
  }

  // This warp's part of sum q (its rating's number); a barrier of the block is the caller's.
  __device__ __forceinline__ void sum_factors() const {
    float largest = 0;
    for (int group = 0; group < groups_; ++group)
      largest = fmaxf(largest, fabsf(numbers(group)[lane_]));
    largest = warp_max(largest);
    const float per_unit = digits_per_unit(largest), unit = digits_unit(largest);
    const uint32_t place = (lane_ & 16) + (lane_ & 6) * 2 + (lane_ & 8) / 4 + (lane_ & 1);
    for (int group = 0; group < groups_; ++group)
      store_digits(digits_of(numbers(group)[lane_], per_unit),
                   group_at(group) + kLayout.digits_at() + place, kGroup);
    __syncwarp();
    int sums[kBlocks][4];
#pragma unroll
    for (int i = 0; i < kBlocks; ++i) clear_tile(sums[i]);
    const uint32_t digits = kLayout.digits_at() + digit_of_lane(lane_) * kGroup + lane_ % 4 * 4;
#pragma unroll 1
    for (int group = 0; group < groups_; ++group) {
      const uint32_t b0 = load_shared(group_at(group) + digits),
                     b1 = load_shared(group_at(group) + digits + 16);
      const uint32_t rows = group_at(group) + lane_ * kLayout.row_bytes();
#pragma unroll
      for (int i = 0; i < kBlocks; ++i) {
        uint32_t raw[4];
        load_transposed(raw, rows + 16 * i);
        const uint32_t a[4] = {even_bytes(raw[0], raw[1]), odd_bytes(raw[0], raw[1]),
                               even_bytes(raw[2], raw[3]), odd_bytes(raw[2], raw[3])};
        multiply_add(sums[i], a, b0, b1);
      }
    }
    float* partial = partials(warp_);
#pragma unroll
    for (int i = 0; i < kBlocks; ++i) {
      const float sum = number_of(sums[i], lane_) * unit;
      if (holds_number(lane_)) partial[16 * i + row_of_lane(lane_)] = sum;
    }
  }

  // Element e of the sum over the block's warps, times the scale of its feature.
  __device__ __forceinline__ float total(int e) const {
    float sum = partials(0)[e];
#pragma unroll
    for (int warp = 1; warp < kWarps; ++warp) sum += partials(warp)[e];
    return sum * scales()[e];
  }

  // Sums over the block; a largest one as well. `turn` alternates, since a barrier lies between two
  // uses of one buffer.
  template <int kCount, int kLargest>
  __device__ __forceinline__ void reduce(float (&sums)[kCount], float (&largest)[kLargest],
                                         int turn) const {
    static_assert(kCount + kLargest <= ShortRowLayout::kSums, "room for them");
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
#pragma unroll
      for (int i = 0; i < kCount; ++i) sums[i] += __shfl_xor_sync(kAllLanes, sums[i], step);
#pragma unroll
    for (int i = 0; i < kLargest; ++i) largest[i] = warp_max(largest[i]);
    if constexpr (kWarps > 1) {
      auto* kept = reinterpret_cast<float*>(shared_ + kLayout.sums_at()) +
                   turn * (ShortRowLayout::kSums * kWarps);
      if (lane_ == 0) {
#pragma unroll
        for (int i = 0; i < kCount; ++i) kept[i * kWarps + warp_] = sums[i];
#pragma unroll
        for (int i = 0; i < kLargest; ++i) kept[(kCount + i) * kWarps + warp_] = largest[i];
      }
      __syncthreads();
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        sums[i] = kept[i * kWarps];
        for (int warp = 1; warp < kWarps; ++warp) sums[i] += kept[i * kWarps + warp];
      }
#pragma unroll
      for (int i = 0; i < kLargest; ++i)
        for (int warp = 0; warp < kWarps; ++warp)
          largest[i] = fmaxf(largest[i], kept[(kCount + i) * kWarps + warp]);
    }
  }

 private:
  __device__ __forceinline__ uint32_t group_at(int group) const {
    return base_ + (warp_ * kLayout.warp_groups() + group) * kLayout.group_bytes();
  }
  // Of the ratings of a group of this warp.
  __device__ __forceinline__ float* numbers(int group) const {
    return reinterpret_cast<float*>(
        shared_ + (warp_ * kLayout.warp_groups() + group) * kLayout.group_bytes() +
        kLayout.numbers_at());
  }
  __device__ __forceinline__ float* partials(int warp) const {
    return reinterpret_cast<float*>(shared_ + kLayout.partials_at()) + warp * 16 * kBlocks;
  }

  char* shared_;
  uint32_t base_;
  int lane_, warp_;
  int groups_ = 0;  // of this warp
};

// CG on a row whose factors the block has gathered, as solve_tiles. Gives write(e, x_e) the
// solution; returns the steps taken.
template <bool kTolerance, bool kWarm, typename Block, typename Write>
__device__ __forceinline__ int solve_short_row(Block& block, const CgRow& row, Write&& write) {
  constexpr int kOwned = Block::kOwned;
  float x[kOwned] = {}, r[kOwned] = {}, direction[kOwned] = {}, product[kOwned] = {};
  const float* scales = block.scales();
  float maximum = 0;  // no element of what is put next is larger
  int turn = 0;
  const auto put_direction = [&] {
    const float per_unit = digits_per_unit(maximum);
    Block::for_each_owned([&](int i, int e) { block.put(e, direction[i] * scales[e], per_unit); });
    Block::sync();
  };
  const auto square = [&] {
    float sum[1] = {}, largest[1] = {};
    Block::for_each_owned([&](int i, int e) {
      sum[0] = fmaf(r[i], r[i], sum[0]);
      largest[0] = fmaxf(largest[0], fabsf(scales[e] * r[i]));
    });
    block.reduce(sum, largest, turn);
    turn ^= 1;
    maximum = largest[0];
    return sum[0];
  };

  float stop = 0;
  if constexpr (kTolerance && kWarm) {  // b alone, whose norm the tolerance is relative to
    block.sum_factors();
    Block::sync();
    Block::for_each_owned([&](int i, int e) { r[i] = block.total(e); });
    stop = row.tolerance * row.tolerance * square();
  }
  if constexpr (kWarm) {
    float none[1] = {}, largest[1] = {};
    Block::for_each_owned([&](int i, int e) {
      x[i] = direction[i] = __ldcg(row.start + e);
      largest[0] = fmaxf(largest[0], fabsf(scales[e] * x[i]));
    });
    block.reduce(none, largest, turn);
    turn ^= 1;
    maximum = largest[0];
    put_direction();
    block.template multiply_factors<true>(digits_unit(maximum));
  }
  block.sum_factors();
  Block::sync();
  Block::for_each_owned([&](int i, int e) { r[i] = block.total(e) - row.diagonal * x[i]; });
  float rr = square();
  if constexpr (kTolerance && !kWarm) stop = row.tolerance * row.tolerance * rr;
  Block::for_each_owned([&](int i, int) { direction[i] = r[i]; });

  int step = 0;
  // Written so that a NaN goes on and shows in x.
  bool more = row.steps > 0 && !(rr <= stop);
#pragma unroll 1
  while (more) {
    put_direction();
    block.template multiply_factors<false>(digits_unit(maximum));
    block.sum_factors();
    Block::sync();
    CgStep sums;
    float largest[2] = {};
    Block::for_each_owned([&](int i, int e) {
      product[i] = fmaf(row.diagonal, direction[i], block.total(e));
      sums.add(direction[i], r[i], product[i], JacobiWeights<false>{}, e);
      largest[0] = fmaxf(largest[0], fabsf(scales[e] * r[i]));
      largest[1] = fmaxf(largest[1], fabsf(scales[e] * product[i]));
    });
    float all[4] = {sums.curvature, sums.residual, sums.residual_product, sums.square_of_product};
    block.reduce(all, largest, turn);
    turn ^= 1;
    sums = {all[0], all[1], all[2], all[3]};
    if (sums.curvature <= 0) break;
    rr = sums.residual;
    const float alpha = __fdividef(rr, sums.curvature);
    float next = sums.next_residual(alpha);
    Block::for_each_owned([&](int i, int) {
      x[i] = fmaf(alpha, direction[i], x[i]);
      r[i] = fmaf(-alpha, product[i], r[i]);
    });
    ++step;
    if (step == row.steps) break;
    const float max_direction = maximum;
    // Where most digits cancel it is summed; also where it is NaN.
    if (!(next > 1e-2f * rr))
      next = square();
    else
      maximum = fmaf(alpha, largest[1], largest[0]);
    const float beta = __fdividef(next, rr);
    maximum = fmaf(beta, max_direction, maximum);
    rr = next;
    more = !(rr <= stop);
    Block::for_each_owned([&](int i, int) { direction[i] = fmaf(beta, direction[i], r[i]); });
  }
  Block::for_each_owned([&](int i, int e) { write(e, x[i]); });
  return step;
}

template <int kRank, int kWarps, int kRatings, int kBlocks, bool kL1, bool kTolerance, bool kWarm>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    update_short_rows(const __grid_constant__ UpdateParams p) {
  constexpr ShortRowLayout kLayout{kRank, kRatings, kWarps};
  constexpr int kClass = short_class(kRatings);
  using Block = ShortRowBlock<kRank, kWarps, kRatings>;
  extern __shared__ float4 shared_memory[];
  char* shared = reinterpret_cast<char*>(shared_memory);
  auto* largest = reinterpret_cast<uint32_t*>(shared + kLayout.largest_at());
  auto* scales = reinterpret_cast<float*>(shared + kLayout.scales_at());
  clear_largest<kRank>(largest);
  for (int i = threadIdx.x; i < 16 * kLayout.blocks(); i += 32 * kWarps)
    scales[i] = i < kRank ? static_cast<const float*>(p.factors.data)[i] : 0.0f;
  Block block(shared);
  __syncthreads();

  const char* base = static_cast<const char*>(p.workspace);
  const auto* counters = reinterpret_cast<const RowCounters*>(base);
  const auto* items = reinterpret_cast<const RowItem*>(base + PieceWorkspace::kItemsAt);
  const uint32_t end = counters->short_begin[kClass + 1];
#pragma unroll 1
  for (uint32_t i = counters->short_begin[kClass] + blockIdx.x; i < end; i += gridDim.x) {
    const RowItem item = items[i];
    const int row = item.row, count = item.count();
    block.template gather<kL1>(p, item);
    const auto write = [&](int e, float value) { write_measured(p, row, e, value, largest); };
    int steps = 0;
    if (count > 0)
      steps = solve_short_row<kTolerance, kWarm>(block, cg_row(p, row, count), write);
    else
      Block::for_each_owned([&](int, int e) { write(e, 0); });
    if (threadIdx.x == 0) {
      if (p.steps != nullptr) p.steps[row] = steps;
      if (p.status != nullptr) p.status[row] = 0;
    }
    Block::sync();
  }
  keep_largest<kRank>(p, largest);
}

}  // namespace alsbench
