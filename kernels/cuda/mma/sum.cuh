// SPDX-License-Identifier: Apache-2.0
// The sums of the rows that were cut: their pieces' added up in order, a warp a row.
#pragma once

#include "kernels/cuda/mma/layout.cuh"
#include "kernels/shared/params/als.h"

namespace alsbench {

// `finish(sums, row, count)` takes each row of the batch that was cut, or a team's part of it. Any
// grid; kWarps of a block, or the team's.
template <typename Part, int kWarps, typename Finish>
__device__ __forceinline__ void sum_pieces(const UpdateParams& p, Finish finish) {
  constexpr int kTiles = Part::kTiles, kAtOnce = kWarps / Part::kTeam;
  const int lane = threadIdx.x % 32, number = threadIdx.x / 32 / Part::kTeam;
  const char* base = static_cast<const char*>(p.workspace);
  const auto* rows = reinterpret_cast<const SplitRow*>(base + p.plan.pieces.split_rows_at);
  const auto* slots = reinterpret_cast<const float4*>(base + p.plan.pieces.sums_at);
  const uint32_t count = reinterpret_cast<const RowCounters*>(base)->split_rows;
  constexpr int kSlot = Part::kTeam * kTiles * 32;
  for (uint32_t at = blockIdx.x * kAtOnce + number; at < count; at += gridDim.x * kAtOnce) {
    const SplitRow row = rows[at];
    float sums[kTiles][4] = {};
    const float4* source =
        slots + int64_t{row.slot} * kSlot + Part::member() * (kTiles * 32) + lane;
#pragma unroll 1
    for (int piece = 0; piece < row.pieces; ++piece, source += kSlot) {
#pragma unroll
      for (int i = 0; i < kTiles; ++i) {
        const float4 part = source[i * 32];
        sums[i][0] += part.x, sums[i][1] += part.y, sums[i][2] += part.z, sums[i][3] += part.w;
      }
    }
    finish(sums, row.row, row.count);
  }
}

}  // namespace alsbench
