// SPDX-License-Identifier: Apache-2.0
// Candidates of a row: a score and its item as one number, and how a warp selects and sorts them.
#pragma once

#include "kernels/cuda/device/lane.cuh"

namespace alsbench {

// Larger is better; of equal scores the first item is. Never 0 for a number.
__device__ __forceinline__ uint64_t candidate(float score, uint32_t item) {
  const uint32_t bits = __float_as_uint(score + 0.0f);  // one zero
  const uint32_t order = bits ^ ((bits >> 31) != 0 ? 0xffffffffu : 0x80000000u);
  return static_cast<uint64_t>(order) << 32 | (item ^ 0xffffffffu);
}
__device__ __forceinline__ float score_of_order(uint32_t order) {
  return __uint_as_float(order ^ ((order >> 31) != 0 ? 0x80000000u : 0xffffffffu));
}
__device__ __forceinline__ float score_of(uint64_t candidate) {
  return score_of_order(static_cast<uint32_t>(candidate >> 32));
}
__device__ __forceinline__ int32_t item_of(uint64_t candidate) {
  return static_cast<int32_t>(static_cast<uint32_t>(candidate) ^ 0xffffffffu);
}

// Candidates of a warp: number 32 i + l is the i-th of lane l. Zeros stand for none.
template <int kEach>
struct WarpCandidates {
  uint64_t own[kEach];

  __device__ __forceinline__ WarpCandidates(const uint64_t* memory, int count) {
    const int lane = fresh_lane();
#pragma unroll
    for (int i = 0; i < kEach; ++i) own[i] = 32 * i + lane < count ? memory[32 * i + lane] : 0;
  }

  // How many are at least `bound`; every lane gets it.
  __device__ __forceinline__ int count_from(uint64_t bound) const {
    int count = 0;
#pragma unroll
    for (int i = 0; i < kEach; ++i) count += own[i] >= bound ? 1 : 0;
    return __reduce_add_sync(0xffffffffu, count);
  }

  // The best k of `count` have at least this bound, and no others have: it is found bit by bit.
  // k is at most count.
  __device__ __forceinline__ uint64_t bound_of_best(int count, int k) const {
    uint64_t bound = 0;
    for (int bit = 63; count != k; --bit) {
      const uint64_t next = bound | uint64_t{1} << bit;
      const int from = count_from(next);
      if (from < k) continue;
      bound = next;
      count = from;
    }
    return bound;
  }

  // Bitonic, the best first.
  __device__ __forceinline__ void sort() {
#pragma unroll
    for (int size = 2; size <= 32 * kEach; size *= 2)
#pragma unroll
      for (int stride = size / 2; stride > 0; stride /= 2)
        if (stride >= 32)
          exchange_own(size, stride / 32);
        else
          exchange_lanes(size, stride);
  }

 private:
  __device__ __forceinline__ void exchange_own(int size, int stride) {
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      if ((i & stride) != 0) continue;
      const bool descending = (32 * i & size) == 0;
      const uint64_t a = own[i], b = own[i + stride];
      const bool swap = descending ? a < b : b < a;
      own[i] = swap ? b : a;
      own[i + stride] = swap ? a : b;
    }
  }
  __device__ __forceinline__ void exchange_lanes(int size, int stride) {
    const int lane = fresh_lane();
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
      const uint64_t other = __shfl_xor_sync(0xffffffffu, own[i], stride);
      const bool larger = ((lane & stride) == 0) == (((32 * i + lane) & size) == 0);
      own[i] = (other > own[i]) == larger ? other : own[i];
    }
  }
};

// Leaves the best k of more candidates in memory, in any order. Returns the worst score of them. A
// whole warp calls it.
template <int kCapacity>
__device__ __forceinline__ float keep_best(uint64_t* memory, int count, int k) {
  constexpr int kEach = kCapacity / 32;
  const WarpCandidates<kEach> all(memory, count);
  const uint64_t bound = all.bound_of_best(count, k);
  __syncwarp();
  const uint32_t before = (1u << fresh_lane()) - 1;
  uint32_t worst = 0xffffffffu;
  int kept = 0;
#pragma unroll
  for (int i = 0; i < kEach; ++i) {
    const bool keep = all.own[i] >= bound;
    const uint32_t lanes = __ballot_sync(0xffffffffu, keep);
    if (keep) {
      const auto order = static_cast<uint32_t>(all.own[i] >> 32);
      memory[kept + __popc(lanes & before)] = all.own[i];
      worst = order < worst ? order : worst;
    }
    kept += __popc(lanes);
  }
  return score_of_order(__reduce_min_sync(0xffffffffu, worst));
}

}  // namespace alsbench
