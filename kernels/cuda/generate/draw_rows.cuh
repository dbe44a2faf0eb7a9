// SPDX-License-Identifier: Apache-2.0
// Draws the rows of a synthetic data set, bit for bit as harness/data/generator.cpp does, for sets
// that are too large to draw on the host. Block: one row; grid: rows of the batch.
#pragma once

#include "kernels/shared/generate.h"
#include "kernels/shared/params/tools.h"

namespace alsbench {

// The items of a row, a bit each in shared memory, which sorts them.
struct ItemBitmap {
  uint32_t* words;
  const int32_t* item_of_rank;

  __device__ __forceinline__ void mark(int32_t rank) const {
    const int32_t item = item_of_rank[rank];
    atomicOr(&words[item / 32], 1u << (item % 32));
  }
};

// The draws that give a row its items: `fixed` items that it always has, and one a stratum.
struct RowDraws {
  const ItemWeights& weights;
  uint64_t key, row;
  int32_t fixed;
  int64_t strata;

  __device__ __forceinline__ Stratum stratum(int64_t i) const {
    return stratum_of(weights, fixed, strata, i);
  }
  // Picks of stratum `i` after `previous`.
  __device__ __forceinline__ int32_t pick(int64_t i, int32_t previous) const {
    return pick_item(weights, stratum(i), random_word(key, row, static_cast<uint64_t>(i)),
                     previous);
  }
  // Final pick of stratum `i`. It depends on the previous stratum's pick only where both hit the
  // same item. That pick may itself be a redraw: so runs are followed from a free stratum.
  __device__ __forceinline__ int32_t final_pick(int64_t i) const {
    int64_t from = i;
    // The item of a stratum can repeat only if it spans the boundary before the stratum.
    while (from > 0) {
      const int32_t item = pick(from, -1);
      if (weights.cumulative[item] >= stratum(from).begin) break;
      --from;
    }
    int32_t previous = -1;
    for (; from <= i; ++from) previous = pick(from, previous);
    return previous;
  }
};

// The inclusive sum of the threads' counts: a thread's own and those of the threads before it.
template <int Threads>
__device__ __forceinline__ int32_t sum_up_to_thread(int32_t mine, int32_t* counts) {
  counts[threadIdx.x] = mine;
  __syncthreads();
  for (int step = 1; step < Threads; step *= 2) {
    const int32_t other = threadIdx.x >= step ? counts[threadIdx.x - step] : 0;
    __syncthreads();
    counts[threadIdx.x] += other;
    __syncthreads();
  }
  return counts[threadIdx.x];
}

// Writes the items of the bitmap's words [first, last) and their ratings from `position` on.
__device__ __forceinline__ void write_ratings(const DrawRowsParams& p, const uint32_t* bitmap,
                                              int first, int last, int64_t position) {
  const int64_t row = p.first_row + blockIdx.x;
  const Latent user = latent_user(p.values, static_cast<uint64_t>(row));
  for (int w = first; w < last; ++w) {
    for (uint32_t bits = bitmap[w]; bits != 0; bits &= bits - 1, ++position) {
      const int32_t item = w * 32 + __ffs(static_cast<int>(bits)) - 1;
      p.indices[position] = item;
      p.ratings[position] = rating_value(p.values, signal_of(p.values, user, p.latent_items[item]),
                                         static_cast<uint64_t>(row), static_cast<uint64_t>(item));
    }
  }
}

// Dynamic shared memory: the row's items as a bitmap of (cols + 31) / 32 words. `Threads` is a
// power of two up to 1024.
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

  const ItemBitmap items{bitmap, p.item_of_rank};
  const int32_t fixed = length > 0 ? p.weights.prefix[length] : 0;
  const int64_t strata = length - fixed;
  for (int32_t rank = threadIdx.x; rank < fixed; rank += Threads) items.mark(rank);
  const RowDraws draws{p.weights, stream_key(p.seed, Stream::pick), static_cast<uint64_t>(row),
                       fixed, strata};
  for (int64_t i = threadIdx.x; i < strata; i += Threads) items.mark(draws.final_pick(i));
  __syncthreads();

  // Each thread writes a contiguous run of words, behind the runs of the threads before it.
  const int run = (words + Threads - 1) / Threads;
  const int first = min(words, static_cast<int>(threadIdx.x) * run);
  const int last = min(words, first + run);
  int32_t mine = 0;
  for (int w = first; w < last; ++w) mine += __popc(bitmap[w]);
  const int32_t end = sum_up_to_thread<Threads>(mine, counts);
  write_ratings(p, bitmap, first, last, begin - p.offsets[0] + end - mine);
}

}  // namespace alsbench
