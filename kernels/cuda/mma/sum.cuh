// SPDX-License-Identifier: Apache-2.0
// The sums of the rows that were cut: first those of their pieces are added up, by a thread for
// every few of them, then a warp or a team takes each row.
#pragma once

#include "kernels/cuda/device/choice.cuh"
#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/mma/byte_sums.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

struct CutRows {
  const SplitRow* rows;
  float4* slots;
  uint32_t count;

  __device__ __forceinline__ explicit CutRows(const UpdateParams& p) {
    char* base = static_cast<char*>(p.workspace);
    rows = reinterpret_cast<const SplitRow*>(base + p.plan.pieces.split_rows_at);
    slots = reinterpret_cast<float4*>(base + p.plan.pieces.sums_at);
    count = reinterpret_cast<const RowCounters*>(base)->split_rows;
  }
};

// The number of a row that was cut, read again each time: at rank 256 a register less to hold.
struct RereadCutRow {
  const UpdateParams& p;
  uint32_t at;
  __device__ __forceinline__ operator int() const { return load_index(&CutRows(p).rows[at].row); }
};

using CutRowNumber = typename Choice<kHoldsMore, int, RereadCutRow>::Type;

// The sum in order of the pieces, which are `stride` float4 apart.
__device__ __forceinline__ float4 sum_of_pieces(const float4* piece, int pieces, int stride) {
  float4 sum = make_float4(0, 0, 0, 0);
#pragma unroll 8
  for (int i = 0; i < pieces; ++i, piece += stride) {
    const float4 part = *piece;
    sum.x += part.x, sum.y += part.y, sum.z += part.z, sum.w += part.w;
  }
  return sum;
}
// The same of integers: the exact sums, rounded once.
__device__ __forceinline__ float4 sum_of_integer_pieces(const float4* piece, int pieces,
                                                        int stride) {
  int64_t sums[4] = {};
#pragma unroll 8
  for (int i = 0; i < pieces; ++i, piece += stride) {
    const float4 part = *piece;
    sums[0] += __float_as_int(part.x) - kBiasedZeroBits;
    sums[1] += __float_as_int(part.y) - kBiasedZeroBits;
    sums[2] += __float_as_int(part.z) - kBiasedZeroBits;
    sums[3] += __float_as_int(part.w) - kBiasedZeroBits;
  }
  return make_float4(static_cast<float>(sums[0]), static_cast<float>(sums[1]),
                     static_cast<float>(sums[2]), static_cast<float>(sums[3]));
}

// Leaves the sums of each row that was cut, as floats, in the slot of its first piece. Any grid.
template <int kRank, typename Factor, int kThreads, bool kWarpgroups = false, bool kHalves = false>
__global__ void __launch_bounds__(kThreads) sum_pieces(UpdateParams p) {
  constexpr int kSlot = mma_slot_bytes(kRank, kWarpgroups, kHalves) / 16;
  constexpr uint32_t kBlocks = (kSlot + kThreads - 1) / kThreads;  // of a row
  const CutRows cut(p);
  for (uint32_t block = blockIdx.x; block < cut.count * kBlocks; block += gridDim.x) {
    const SplitRow row = cut.rows[block / kBlocks];
    const int at = static_cast<int>(block % kBlocks * kThreads + threadIdx.x);
    if (at >= kSlot) continue;
    float4* first = cut.slots + int64_t{row.slot} * kSlot + at;
    if constexpr (kSumsAreIntegers<Factor>)
      *first = sum_of_integer_pieces(first, row.pieces, kSlot);
    else
      *first = sum_of_pieces(first, row.pieces, kSlot);
  }
}

// `finish(sums, row, count)` takes each row of the batch that was cut, or a team's part of it,
// after sum_pieces. Any grid; kWarps of a block, or the team's.
template <typename Part, int kWarps, typename Finish>
__device__ __forceinline__ void finish_cut_rows(const UpdateParams& p, Finish finish) {
  constexpr int kTiles = Part::kTiles, kAtOnce = kWarps / Part::kTeam;
  constexpr int kSlot = Part::kTeam * kTiles * 32;
  const int number = threadIdx.x / 32 / Part::kTeam;
  const CutRows cut(p);
  const auto count = [&] { return kHoldsMore ? cut.count : CutRows(p).count; };
  for (uint32_t at = blockIdx.x * kAtOnce + number; at < count(); at += gridDim.x * kAtOnce) {
    const SplitRow row = cut.rows[at];
    const float4* source =
        cut.slots + int64_t{row.slot} * kSlot + Part::member() * (kTiles * 32) + threadIdx.x % 32;
    float sums[kTiles][4];
#pragma unroll
    for (int i = 0; i < kTiles; ++i) {
      const float4 sum = source[i * 32];
      sums[i][0] = sum.x, sums[i][1] = sum.y, sums[i][2] = sum.z, sums[i][3] = sum.w;
    }
    if constexpr (kHoldsMore)
      finish(sums, row.row, row.count);
    else
      finish(sums, RereadCutRow{p, at}, row.count);
  }
}

}  // namespace alsbench
