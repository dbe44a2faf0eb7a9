// SPDX-License-Identifier: Apache-2.0
// Factors stored as signed bytes (kernels/shared/int8_factors.h): what CudaDevice::quantize runs.
// First the largest magnitude of every feature, then the scales and the bytes.
#pragma once

#include "kernels/cuda/device/bytes.cuh"
#include "kernels/shared/int8_factors.h"
#include "kernels/shared/params/tools.h"

namespace alsbench {

// The words of largest magnitudes begin as zero. A NaN is larger than any number there, so that it
// shows in the scale. Any grid of kThreads, a multiple of what a row takes.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) find_largest(QuantizeParams p) {
  const int vectors = p.source.pitch / 4, rows = kThreads / vectors;
  const int column = threadIdx.x % vectors;
  if (static_cast<int>(threadIdx.x) >= rows * vectors) return;
  const auto* source = static_cast<const uint4*>(p.source.data);
  uint32_t largest[4] = {};
  const int64_t step = int64_t{gridDim.x} * rows;
#pragma unroll 4
  for (int64_t row = int64_t{blockIdx.x} * rows + threadIdx.x / vectors; row < p.source.rows;
       row += step) {
    const uint4 bits = source[row * vectors + column];
    const uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint32_t magnitude = words[i] & 0x7fffffffu;
      largest[i] = largest[i] > magnitude ? largest[i] : magnitude;
    }
  }
  auto* target = reinterpret_cast<uint32_t*>(static_cast<char*>(p.target) +
                                             Int8Factors{p.source.rank}.largest_at());
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (4 * column + i < p.source.rank) atomicMax(target + 4 * column + i, largest[i]);
}

// Any grid.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) quantize_factors(QuantizeParams p) {
  __shared__ float inverse[256];  // of the scales
  const Int8Factors layout{p.source.rank};
  char* copy = static_cast<char*>(p.target);
  const auto* largest = reinterpret_cast<const uint32_t*>(copy + layout.largest_at());
  for (int i = threadIdx.x; i < layout.scales(); i += kThreads) {
    const float most = i < p.source.rank ? __uint_as_float(largest[i]) : 0.0f;
    if (i < p.source.rank) inverse[i] = most > 0 ? Int8Factors::kLevels / most : 0.0f;
    float scale = most / Int8Factors::kLevels;
    if (i == layout.columns() - 2) scale = Int8Factors::kRatingHigh;
    if (i == layout.columns() - 1) scale = Int8Factors::kRatingLow;
    if (blockIdx.x == 0) reinterpret_cast<float*>(copy)[i] = scale;
  }
  __syncthreads();
  const int words = layout.row_bytes() / 4;
  const int64_t count = p.source.rows * words, step = int64_t{gridDim.x} * kThreads;
  auto* target = reinterpret_cast<uint32_t*>(copy + layout.rows_at());
  for (int64_t at = int64_t{blockIdx.x} * kThreads + threadIdx.x; at < count; at += step) {
    const int64_t row = at / words;
    const int first = static_cast<int>(at - row * words) * 4;
    const float* source = static_cast<const float*>(p.source.data) + row * p.source.pitch;
    uint32_t word = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int feature = layout.feature(first + i);
      if (feature >= p.source.rank) continue;
      int level = to_integer(source[feature] * inverse[feature]);
      level = level > Int8Factors::kLevels ? Int8Factors::kLevels : level;
      level = level < -Int8Factors::kLevels ? -Int8Factors::kLevels : level;
      word |= static_cast<uint32_t>(level & 0xff) << (8 * i);
    }
    target[at] = word;
  }
}

}  // namespace alsbench
