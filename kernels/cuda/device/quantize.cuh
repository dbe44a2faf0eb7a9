// SPDX-License-Identifier: Apache-2.0
// Factors stored as bytes (kernels/shared/byte_factors.h): what CudaDevice::quantize runs.
// First the largest magnitude of every feature, then the scales and the bytes.
#pragma once

#include "kernels/cuda/device/bytes.cuh"
#include "kernels/shared/byte_factors.h"
#include "kernels/shared/params/tools.h"

namespace alsbench {

// The words of largest magnitudes begin as zero. A NaN is larger than any number there, so it shows
// in the scale. Any grid of kThreads, at least a row's vectors of four factors.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) find_largest(QuantizeParams p) {
  __shared__ uint32_t of_block[256];
  for (int i = threadIdx.x; i < p.source.rank; i += kThreads) of_block[i] = 0;
  __syncthreads();
  const int vectors = p.source.pitch / 4, rows = kThreads / vectors;
  const int thread = threadIdx.x, column = thread % vectors;
  const auto* source = static_cast<const uint4*>(p.source.data);
  uint32_t largest[4] = {};
  const int64_t step = int64_t{gridDim.x} * rows;
  int64_t row = thread < rows * vectors ? int64_t{blockIdx.x} * rows + thread / vectors
                                        : p.source.rows;  // a thread left over has none
#pragma unroll 4
  for (; row < p.source.rows; row += step) {
    const uint4 bits = source[row * vectors + column];
    const uint32_t words[4] = {bits.x, bits.y, bits.z, bits.w};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint32_t magnitude = words[i] & 0x7fffffffu;
      largest[i] = largest[i] > magnitude ? largest[i] : magnitude;
    }
  }
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if (4 * column + i < p.source.rank) atomicMax(of_block + 4 * column + i, largest[i]);
  __syncthreads();
  auto* target = reinterpret_cast<uint32_t*>(static_cast<char*>(p.target) +
                                             ByteFactors{p.source.rank}.largest_at());
  for (int i = threadIdx.x; i < p.source.rank; i += kThreads) atomicMax(target + i, of_block[i]);
}

// The byte of a factor; `inverse`: of the scale.
template <typename Byte>
__device__ uint32_t quantized(float factor, float inverse);
template <>
__device__ __forceinline__ uint32_t quantized<Int8>(float factor, float inverse) {
  int level = to_integer(factor * inverse);
  level = level > Int8::kLargest ? Int8::kLargest : level;
  level = level < -Int8::kLargest ? -Int8::kLargest : level;
  return static_cast<uint32_t>(level & 0xff);
}
template <>
__device__ __forceinline__ uint32_t quantized<Fp8>(float factor, float inverse) {
  return float_to_e4m3(factor * inverse);
}

// The largest magnitude of a feature, over all members where these shared theirs.
__device__ __forceinline__ uint32_t largest_of_all(const QuantizeParams& p, const uint32_t* largest,
                                                   int feature) {
  if (p.shared == nullptr) return largest[feature];
  uint32_t bits = 0;
  for (int member = 0; member < p.members; ++member) {
    const uint32_t own = p.shared->of[member][feature];
    bits = bits > own ? bits : own;
  }
  return bits;
}

// One block, of kThreads.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) share_largest(ShareLargestParams p) {
  const auto* largest = reinterpret_cast<const uint32_t*>(static_cast<const char*>(p.copy) +
                                                          ByteFactors{p.rank}.largest_at());
  for (int i = threadIdx.x; i < p.rank; i += kThreads)
    for (int device = 0; device < p.devices; ++device)
      p.everywhere[device]->of[p.member][i] = largest[i];
}

// One block, of kThreads.
template <int kThreads>
__global__ void __launch_bounds__(kThreads) carry_scales(CarryScalesParams p) {
  auto* largest =
      reinterpret_cast<uint32_t*>(static_cast<char*>(p.copy) + ByteFactors{p.rank}.largest_at());
  for (int i = threadIdx.x; i < p.rank; i += kThreads) {
    p.carried->largest[i] = CarriedScales::kHeadroom * __uint_as_float(largest[i]);
    largest[i] = 0;
  }
}

// Any grid of kThreads, at least a row's words. `kWeighted`: whether there are weights;
// `kElsewhere`: whether other devices get the rows.
template <int kThreads, bool kWeighted = false, typename Byte = Int8, bool kElsewhere = false>
__global__ void __launch_bounds__(kThreads) quantize_factors(QuantizeParams p) {
  __shared__ float inverse[CarriedScales::kMaxRank];  // of the scales
  __shared__ int suit;  // whether scales that are carried over suit all features
  const ByteFactors layout{p.source.rank};
  const int thread = threadIdx.x;
  char* copy = static_cast<char*>(p.target);
  auto* largest = reinterpret_cast<uint32_t*>(copy + layout.largest_at());
  const float largest_weight = kWeighted ? p.weights.largest() : 1.0f;
  const bool asks = p.scales == ByteScales::suitable || p.scales == ByteScales::renewed;
  if (thread == 0) suit = p.scales != ByteScales::own;
  __syncthreads();
  if (asks)
    for (int i = thread; i < p.source.rank; i += kThreads) {
      const uint32_t bits = largest_of_all(p, largest, i);
      if (!CarriedScales::suits(p.carried->largest[i], __uint_as_float(bits))) suit = 0;
    }
  __syncthreads();
  const bool carried = suit != 0, stores = !(carried && p.scales == ByteScales::renewed);
  for (int i = thread; i < layout.scales(); i += kThreads) {
    uint32_t bits = 0;
    if (i < p.source.rank) bits = largest_of_all(p, largest, i);
    float maximum = __uint_as_float(bits) * largest_weight;
    if (carried && i < p.source.rank) maximum = p.carried->largest[i];
    if (i < p.source.rank) inverse[i] = maximum > 0 ? Byte::kLargest / maximum : 0.0f;
    float scale = maximum / Byte::kLargest;
    if (i == layout.columns() - 2) scale = Byte::kRatingHigh;
    if (i == layout.columns() - 1) scale = Byte::kRatingLow;
    if (blockIdx.x != 0) continue;
    if (stores) reinterpret_cast<float*>(copy)[i] = scale;
    if (p.shared != nullptr && i < p.source.rank) largest[i] = bits;
  }
  if (!stores) return;
  __syncthreads();
  const int words = layout.row_bytes() / 4, rows = kThreads / words;
  const int word = thread % words, first = 4 * word;
  if (thread >= rows * words) return;
  // This thread's word: two features that follow each other, and the two 8 further on in turn. A
  // row has an even number of floats; those behind its features are not looked at.
  const int even = layout.feature(first);
  float scales[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const int feature = layout.feature(first + i);
    scales[i] = feature < p.source.rank ? inverse[feature] : 0.0f;
  }
  const int copies = kWeighted ? p.weights.count : 1;
  const int64_t rows_at = layout.rows_at() + p.first_row * copies * layout.row_bytes();
  const auto rows_of = [&](void* data) {
    return reinterpret_cast<uint32_t*>(static_cast<char*>(data) + rows_at);
  };
  uint32_t* const target = rows_of(copy);
  const int64_t step = int64_t{gridDim.x} * rows;
#pragma unroll 4
  for (int64_t row = int64_t{blockIdx.x} * rows + thread / words; row < p.source.rows;
       row += step) {
    const float* source = static_cast<const float*>(p.source.data) + row * p.source.pitch;
    const auto pair = [&](int feature) {
      return feature < p.source.rank ? __ldcs(reinterpret_cast<const float2*>(source + feature))
                                     : float2{0, 0};
    };
    const float2 low = pair(even), high = pair(even + 8);
    for (int i = 0; i < copies; ++i) {
      const float weight = kWeighted ? p.weights.values[i] : 1.0f;
      const uint32_t bytes = quantized<Byte>(low.x * weight, scales[0]) |
                             quantized<Byte>(high.x * weight, scales[1]) << 8 |
                             quantized<Byte>(low.y * weight, scales[2]) << 16 |
                             quantized<Byte>(high.y * weight, scales[3]) << 24;
      const int64_t place = (row * copies + i) * words + word;
      target[place] = bytes;
      if constexpr (kElsewhere)
        for (int other = 0; other < p.elsewhere.count; ++other)
          rows_of(p.elsewhere.copies[other])[place] = bytes;
    }
  }
}

}  // namespace alsbench
