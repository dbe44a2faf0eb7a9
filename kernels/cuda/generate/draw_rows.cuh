// SPDX-License-Identifier: Apache-2.0
// Draws the rows of a synthetic data set on the device, bit for bit as harness/data/generator.cpp
// does: one block a row. Used for sets that are too large to draw on the host.
#pragma once

#include "kernels/shared/generate.h"
#include "kernels/shared/params/tools.h"

namespace alsbench {

// Dynamic shared memory: the row's items as a bitmap of (cols + 31) / 32 words, which sorts them.
// `Threads` a power of two up to 1024.
template <int Threads>
__global__ void __launch_bounds__(Threads) draw_rows(DrawRowsParams p) {
  extern __shared__ uint32_t bitmap[];
  __shared__ int32_t counts[Threads];
  const int64_t row = p.first_row + blockIdx.x;
  const int64_t begin = p.offsets[blockIdx.x];
  const int64_t length = p.offsets[blockIdx.x + 1] - begin;
  const int words = static_cast<int>((p.cols + 31) / 32);
  for (int w = threadIdx.x; w < words; w += Threads) bitmap[w] = 0;
  __syncthreads();

  const auto mark = [&](int32_t rank) {
    const int32_t item = p.item_of_rank[rank];
    atomicOr(&bitmap[item / 32], 1u << (item % 32));
  };
  const int32_t fixed = length > 0 ? p.weights.prefix[length] : 0;
  const int64_t strata = length - fixed;
  for (int32_t rank = threadIdx.x; rank < fixed; rank += Threads) mark(rank);
  const uint64_t key = stream_key(p.seed, Stream::pick);
  // A stratum's pick depends on the previous one only where both hit the same item, and what a
  // stratum finally picks may itself be such a redraw: so follow runs from a stratum that is free.
  for (int64_t i = threadIdx.x; i < strata; i += Threads) {
    int64_t from = i;
    const auto free_pick = [&](int64_t s) {
      return pick_item(p.weights, stratum_of(p.weights, fixed, strata, s),
                       random_word(key, static_cast<uint64_t>(row), static_cast<uint64_t>(s)), -1);
    };
    // The item of stratum s can repeat only if it spans the boundary before s.
    while (from > 0) {
      const int32_t item = free_pick(from);
      if (p.weights.cumulative[item] >= stratum_of(p.weights, fixed, strata, from).begin) break;
      --from;
    }
    int32_t previous = -1;
    for (; from <= i; ++from) {
      previous = pick_item(
          p.weights, stratum_of(p.weights, fixed, strata, from),
          random_word(key, static_cast<uint64_t>(row), static_cast<uint64_t>(from)), previous);
    }
    mark(previous);
  }
  __syncthreads();

  // Each thread emits a contiguous run of words; its place is the exclusive sum of the runs before.
  const int run = (words + Threads - 1) / Threads;
  const int first = min(words, static_cast<int>(threadIdx.x) * run);
  const int last = min(words, first + run);
  int32_t mine = 0;
  for (int w = first; w < last; ++w) mine += __popc(bitmap[w]);
  counts[threadIdx.x] = mine;
  __syncthreads();
  for (int step = 1; step < Threads; step *= 2) {
    const int32_t other = threadIdx.x >= step ? counts[threadIdx.x - step] : 0;
    __syncthreads();
    counts[threadIdx.x] += other;
    __syncthreads();
  }
  const Latent user = latent_user(p.values, static_cast<uint64_t>(row));
  int64_t position = begin - p.offsets[0] + counts[threadIdx.x] - mine;
  for (int w = first; w < last; ++w) {
    for (uint32_t bits = bitmap[w]; bits != 0; bits &= bits - 1, ++position) {
      const int32_t item = w * 32 + __ffs(static_cast<int>(bits)) - 1;
      p.indices[position] = item;
      p.ratings[position] = rating_value(p.values, signal_of(p.values, user, p.latent_items[item]),
                                         static_cast<uint64_t>(row), static_cast<uint64_t>(item));
    }
  }
}

}  // namespace alsbench
