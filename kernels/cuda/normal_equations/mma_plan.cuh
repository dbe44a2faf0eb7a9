// First kernel of normal_equations/mma: cuts rows longer than a chunk into pieces, and finds the
// batch's largest rating, which the ratings are scaled by. Any grid.
#pragma once

#include "kernels/cuda/normal_equations/mma_layout.cuh"
#include "kernels/shared/params.h"

namespace alsbench {

template <int kChunk>
__device__ __forceinline__ void cut_row(const UpdateParams& p, int64_t batch_row) {
  const int64_t begin = p.ratings.offsets[p.first_row + batch_row];
  const int64_t end = p.ratings.offsets[p.first_row + batch_row + 1];
  if (end - begin <= kChunk) return;
  constexpr MmaWorkspace kSizes{};
  const MmaWorkspace workspace{p.ratings.nnz, kChunk};
  char* base = static_cast<char*>(p.workspace);
  auto* counters = reinterpret_cast<MmaCounters*>(base);
  auto* items = reinterpret_cast<MmaItem*>(base + kSizes.pieces_at());
  auto* split_rows = reinterpret_cast<MmaSplitRow*>(base + workspace.split_rows_at());

  const int pieces = static_cast<int>((end - begin + kChunk - 1) / kChunk);
  const int slot = static_cast<int>(atomicAdd(&counters->pieces, static_cast<uint32_t>(pieces)));
  const uint32_t place = atomicAdd(&counters->split_rows, 1u);
  const int row = static_cast<int>(batch_row);
  split_rows[place] = {row, static_cast<int32_t>(end - begin), slot, pieces};
  for (int i = 0; i < pieces; ++i) {
    const int64_t first = begin + int64_t{i} * kChunk;
    items[slot + i] = {first, first + kChunk < end ? first + kChunk : end, row, slot + i, 0};
  }
}

template <int kChunk, int kThreads>
__global__ void __launch_bounds__(kThreads) mma_plan_rows(UpdateParams p) {
  const int64_t thread = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t threads = int64_t{gridDim.x} * kThreads;
  for (int64_t row = thread; row < p.row_count; row += threads) cut_row<kChunk>(p, row);

  const int64_t end = p.ratings.offsets[p.first_row + p.row_count];
  float largest = 0;
#pragma unroll 8
  for (int64_t cell = p.ratings.offsets[p.first_row] + thread; cell < end; cell += threads)
    largest = fmaxf(largest, fabsf(p.ratings.values[cell]));
  // Floats that are not negative are ordered as their bits are.
  const uint32_t bits = __reduce_max_sync(0xffffffffu, __float_as_uint(largest));
  if (threadIdx.x % 32 == 0) atomicMax(&static_cast<MmaCounters*>(p.workspace)->largest_bits, bits);
}

}  // namespace alsbench
