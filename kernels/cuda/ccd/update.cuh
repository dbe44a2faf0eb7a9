// SPDX-License-Identifier: Apache-2.0
// ccd_update: residuals (kChanges), the values (kSums), or both in one pass. The first blocks have
// a long row each; in the others kLanes neighbouring lanes share a row. Long rows come first, so
// none is left at the end. Grid: a block each long row, and enough for all others; any more do
// nothing.
#pragma once

#include "kernels/cuda/ccd/row.cuh"
#include "kernels/cuda/device/reduce.cuh"

namespace alsbench {

__device__ __forceinline__ void write_value(const CcdUpdateParams& p, const RowBin& bin,
                                            const CcdValues& own, CcdSums sums) {
  const float squares = p.lambda * static_cast<float>(bin.count) + sums.squares;
  p.own[bin.row].now = squares > 0 ? sums.products / squares : own.before;
}

template <int kThreads, int kAhead, bool kChanges, bool kSums>
__device__ __forceinline__ void update_long_row(const CcdUpdateParams& p, const RowBin& bin) {
  __shared__ float products[kThreads / 32], squares[kThreads / 32];
  const CcdValues own = p.own[bin.row];
  CcdSums sums =
      ccd_row<kAhead, kChanges, kSums>(p, bin, own, static_cast<int>(threadIdx.x), kThreads);
  if (!kSums) return;
  sums.products = block_sum<kThreads>(sums.products, products);
  sums.squares = block_sum<kThreads>(sums.squares, squares);
  if (threadIdx.x == 0) write_value(p, bin, own, sums);
}

// All lanes of a warp call it together; `place` may be beyond the last row.
template <int kLanes, int kAhead, bool kChanges, bool kSums>
__device__ __forceinline__ void update_short_row(const CcdUpdateParams& p, int64_t place) {
  const int lane = static_cast<int>(threadIdx.x % kLanes);
  const bool is_there = place < p.bins.count;
  const RowBin bin = is_there ? p.bins.rows[place] : RowBin{};
  const CcdValues own = is_there ? p.own[bin.row] : CcdValues{};
  CcdSums sums = ccd_row<kAhead, kChanges, kSums>(p, bin, own, lane, kLanes);
  if (!kSums) return;
#pragma unroll
  for (int step = kLanes / 2; step > 0; step /= 2) {
    sums.products += __shfl_xor_sync(0xffffffffu, sums.products, step);
    sums.squares += __shfl_xor_sync(0xffffffffu, sums.squares, step);
  }
  if (is_there && lane == 0) write_value(p, bin, own, sums);
}

template <int kThreads, int kLanes, int kAhead, bool kChanges, bool kSums>
__global__ void __launch_bounds__(kThreads) ccd_update(CcdUpdateParams p) {
  if (!kSums && p.first == 0) return;
  const int64_t block = blockIdx.x;
  if (block < p.bins.long_rows) {
    update_long_row<kThreads, kAhead, kChanges, kSums>(p, p.bins.rows[block]);
    return;
  }
  constexpr int kRows = kThreads / kLanes;
  update_short_row<kLanes, kAhead, kChanges, kSums>(
      p, p.bins.long_rows + (block - p.bins.long_rows) * kRows + threadIdx.x / kLanes);
}

}  // namespace alsbench
