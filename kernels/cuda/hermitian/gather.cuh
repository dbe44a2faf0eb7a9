// SPDX-License-Identifier: Apache-2.0
// Gathers a bin of factor rows from global into shared memory, as floats, in the two schemes of the
// paper's Fig. 3. A stage of the tiled hermitian.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/hermitian/parameters.cuh"

namespace alsbench {

// 16 bytes of a factor row: 4 floats or 8 halves.
template <typename Factor>
constexpr int kFactorVector = 16 / static_cast<int>(sizeof(Factor));

template <typename Factor>
__device__ __forceinline__ void store_shared(float* target, const uint32_t (&words)[4]) {
  float v[kFactorVector<Factor>];
  expand<Factor>(v, words);
#pragma unroll
  for (int i = 0; i < kFactorVector<Factor>; i += 4)
    *reinterpret_cast<float4*>(target + i) = make_float4(v[i], v[i + 1], v[i + 2], v[i + 3]);
}

// Each thread reads vectors of its own factor row; kThreads / kBin threads share one. `rows` is
// kBin rows of kPitch floats; `indices` the factor rows of the `count` filled ones. kAsync (float
// factors) only starts the copies.
template <int kRank, int kBin, int kThreads, int kPitch, bool kL1, bool kAsync, typename Factor>
__device__ __forceinline__ void gather_strided(float* rows, const int32_t* indices, int count,
                                               const Factor* factors, int32_t pitch) {
  constexpr int kVector = kFactorVector<Factor>;
  constexpr int kVectors = (kRank + kVector - 1) / kVector;
  constexpr int kSharers = kThreads / kBin > 1 ? kThreads / kBin : 1;
  constexpr int kConcurrent = kThreads / kSharers < kBin ? kThreads / kSharers : kBin;
  constexpr int kShare = (kVectors + kSharers - 1) / kSharers;
  constexpr int kInFlight = 4;  // vectors a thread loads before it stores the first
  const int first = threadIdx.x / kConcurrent * kShare;
  if (first >= kVectors || threadIdx.x >= kConcurrent * kSharers) return;

  for (int k = threadIdx.x % kConcurrent; k < count; k += kConcurrent) {
    const Factor* source = factors + static_cast<int64_t>(indices[k]) * pitch;
    float* target = rows + k * kPitch;
#pragma unroll 1
    for (int begin = 0; begin < kShare; begin += kInFlight) {
      uint32_t v[kInFlight][4];
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        const int at = (first + begin + i) * kVector;
        if (begin + i >= kShare || first + begin + i >= kVectors) continue;
        if constexpr (kAsync)
          copy_async<kL1>(target + at, source + at);
        else
          load_raw<kL1, kVector>(v[i], source + at);
      }
      if constexpr (!kAsync)
#pragma unroll
        for (int i = 0; i < kInFlight; ++i)
          if (begin + i < kShare && first + begin + i < kVectors)
            store_shared<Factor>(target + (first + begin + i) * kVector, v[i]);
    }
  }
}

// The 32 threads of a warp read one factor row together, one row after another.
template <int kRank, int kBin, int kThreads, int kPitch, bool kL1, bool kAsync, typename Factor>
__device__ __forceinline__ void gather_coalesced(float* rows, const int32_t* indices, int count,
                                                 const Factor* factors, int32_t pitch) {
  constexpr int kVector = kFactorVector<Factor>;
  constexpr int kVectors = (kRank + kVector - 1) / kVector;
  constexpr int kWarps = kThreads / 32;
  constexpr int kInFlight = 4;
  for (int begin = threadIdx.x / 32; begin < count; begin += kWarps * kInFlight) {
    for (int vector = threadIdx.x % 32; vector < kVectors; vector += 32) {
      const int at = vector * kVector;
      uint32_t v[kInFlight][4];
#pragma unroll
      for (int i = 0; i < kInFlight; ++i) {
        const int k = begin + i * kWarps;
        if (k >= count) continue;
        const Factor* source = factors + static_cast<int64_t>(indices[k]) * pitch + at;
        if constexpr (kAsync)
          copy_async<kL1>(rows + k * kPitch + at, source);
        else
          load_raw<kL1, kVector>(v[i], source);
      }
      if constexpr (!kAsync)
#pragma unroll
        for (int i = 0; i < kInFlight; ++i)
          if (const int k = begin + i * kWarps; k < count)
            store_shared<Factor>(rows + k * kPitch + at, v[i]);
    }
  }
}

}  // namespace alsbench
