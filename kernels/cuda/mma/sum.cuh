// SPDX-License-Identifier: Apache-2.0
// The sums of the rows that were cut: their pieces' added up in order, a warp a row.
#pragma once

#include "kernels/cuda/mma/int8_sums.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// sums = those of the pieces, which are `stride` float4 apart.
template <int kTiles>
__device__ __forceinline__ void add_pieces(float (&sums)[kTiles][4], const float4* source,
                                           int pieces, int stride) {
#pragma unroll 1
  for (int piece = 0; piece < pieces; ++piece, source += stride) {
#pragma unroll
    for (int i = 0; i < kTiles; ++i) {
      const float4 part = source[i * 32];
      sums[i][0] += part.x, sums[i][1] += part.y, sums[i][2] += part.z, sums[i][3] += part.w;
    }
  }
}
// The same of integers: the exact sums, rounded once. They take twice the registers, so that a tile
// comes after another and waits in the place of the first piece's.
template <int kTiles>
__device__ __forceinline__ void add_integer_pieces(float (&sums)[kTiles][4], float4* source,
                                                   int pieces, int stride) {
#pragma unroll 1
  for (int i = 0; i < kTiles; ++i) {
    int64_t totals[4] = {};
    const float4* tile = source + i * 32;
#pragma unroll 4
    for (int piece = 0; piece < pieces; ++piece, tile += stride) {
      const float4 part = *tile;
      totals[0] += __float_as_int(part.x) - kBiasedZeroBits;
      totals[1] += __float_as_int(part.y) - kBiasedZeroBits;
      totals[2] += __float_as_int(part.z) - kBiasedZeroBits;
      totals[3] += __float_as_int(part.w) - kBiasedZeroBits;
    }
    source[i * 32] = make_float4(static_cast<float>(totals[0]), static_cast<float>(totals[1]),
                                 static_cast<float>(totals[2]), static_cast<float>(totals[3]));
  }
#pragma unroll
  for (int i = 0; i < kTiles; ++i) {
    const float4 sum = source[i * 32];
    sums[i][0] = sum.x, sums[i][1] = sum.y, sums[i][2] = sum.z, sums[i][3] = sum.w;
  }
}

// `finish(sums, row, count)` takes each row of the batch that was cut, or a team's part of it. Any
// grid; kWarps of a block, or the team's.
template <typename Part, typename Factor, int kWarps, typename Finish>
__device__ __forceinline__ void sum_pieces(const UpdateParams& p, Finish finish) {
  constexpr int kTiles = Part::kTiles, kAtOnce = kWarps / Part::kTeam;
  const int lane = threadIdx.x % 32, number = threadIdx.x / 32 / Part::kTeam;
  char* base = static_cast<char*>(p.workspace);
  const auto* rows = reinterpret_cast<const SplitRow*>(base + p.plan.pieces.split_rows_at);
  auto* slots = reinterpret_cast<float4*>(base + p.plan.pieces.sums_at);
  const uint32_t count = reinterpret_cast<const RowCounters*>(base)->split_rows;
  constexpr int kSlot = Part::kTeam * kTiles * 32;
  for (uint32_t at = blockIdx.x * kAtOnce + number; at < count; at += gridDim.x * kAtOnce) {
    const SplitRow row = rows[at];
    float sums[kTiles][4] = {};
    float4* source = slots + int64_t{row.slot} * kSlot + Part::member() * (kTiles * 32) + lane;
    if constexpr (sizeof(Factor) == 1)
      add_integer_pieces(sums, source, row.pieces, kSlot);
    else
      add_pieces(sums, source, row.pieces, kSlot);
    finish(sums, row.row, row.count);
  }
}

}  // namespace alsbench
