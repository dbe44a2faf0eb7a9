// First kernel of the tensor-core variants: cuts rows longer than a chunk into pieces, and finds
// the batch's largest rating, which the ratings are scaled by. Any grid.
#pragma once

#include "kernels/cuda/rows/cut.cuh"

namespace alsbench {

template <int kChunk, bool kOrdered, int kThreads>
__global__ void __launch_bounds__(kThreads) mma_plan_rows(UpdateParams p) {
  const int64_t thread = int64_t{blockIdx.x} * kThreads + threadIdx.x;
  const int64_t threads = int64_t{gridDim.x} * kThreads;
  cut_rows<kChunk, kOrdered>(p, thread, threads);

  const int64_t end = p.ratings.offsets[p.first_row + p.row_count];
  float largest = 0;
#pragma unroll 8
  for (int64_t cell = p.ratings.offsets[p.first_row] + thread; cell < end; cell += threads)
    largest = fmaxf(largest, fabsf(p.ratings.values[cell]));
  // Floats that are not negative are ordered as their bits are.
  const uint32_t bits = __reduce_max_sync(0xffffffffu, __float_as_uint(largest));
  if (threadIdx.x % 32 == 0) atomicMax(&static_cast<RowCounters*>(p.workspace)->largest_bits, bits);
}

}  // namespace alsbench
