// SPDX-License-Identifier: Apache-2.0
// The ceilings of rows read by index: a warp is a stream, a lane reads 16 bytes of each row. Where
// the rows lie is the source's size: in L1, in L2, in memory; or a block copies them to shared
// memory.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/shared/gather_rows.h"

namespace alsbench {

// Adds up the words that `load(words, vector)` reads; vectors are numbered over the whole source.
template <int kThreads, typename Load>
__device__ __forceinline__ void sum_stream(const GatherParams& p, const Load& load) {
  constexpr int kVectors = kGatherWords / 4;
  const int lane = threadIdx.x % 32;
  const int64_t stream = (static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x) / 32;
  uint32_t state = gather_start(static_cast<uint32_t>(stream)), sum = 0;
  for (int row = 0; row < p.rows; row += kGatherInFlight) {
    uint32_t words[kGatherInFlight][4];
#pragma unroll
    for (int i = 0; i < kGatherInFlight; ++i) {
      state = gather_next(state);
      load(words[i], gather_row(state, p.row_bits) * kVectors + lane);
    }
#pragma unroll
    for (int i = 0; i < kGatherInFlight; ++i)
      sum += words[i][0] + words[i][1] + words[i][2] + words[i][3];
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask /= 2)
    sum += static_cast<uint32_t>(__shfl_xor_sync(0xffffffffu, static_cast<int>(sum), mask));
  if (lane == 0) p.target[stream] = sum;
}

template <int kThreads, bool kL1>
__global__ void __launch_bounds__(kThreads) gather_rows(GatherParams p) {
  const uint4* source = reinterpret_cast<const uint4*>(p.source);
  sum_stream<kThreads>(
      p, [&](uint32_t(&words)[4], uint32_t vector) { load_words<kL1>(words, source + vector); });
}

// Of a source of kRows rows, all of which a block holds.
template <int kThreads, int kRows>
__global__ void __launch_bounds__(kThreads) gather_shared_rows(GatherParams p) {
  __shared__ uint4 rows[kRows * kGatherWords / 4];
  const uint4* source = reinterpret_cast<const uint4*>(p.source);
  for (int i = threadIdx.x; i < kRows * kGatherWords / 4; i += kThreads) rows[i] = source[i];
  __syncthreads();
  sum_stream<kThreads>(p, [&](uint32_t(&words)[4], uint32_t vector) {
    const uint4 v = rows[vector];
    words[0] = v.x, words[1] = v.y, words[2] = v.z, words[3] = v.w;
  });
}

}  // namespace alsbench
