// SPDX-License-Identifier: Apache-2.0
// The guard of honest measurement on a GPU: what CudaDevice::digest and CudaDevice::mirror run.
// Grid: any.
#pragma once

#include "kernels/cuda/device/reduce.cuh"
#include "kernels/shared/params/tools.h"

namespace alsbench {

__device__ inline void add_to(uint64_t* total, uint64_t value) {
  atomicAdd(reinterpret_cast<unsigned long long*>(total), static_cast<unsigned long long>(value));
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads) digest_words(DigestParams params) {
  __shared__ uint64_t partials[kThreads / 32];
  const Region& region = params.region;
  uint64_t hash = 0, not_finite = 0;
  const int64_t stride = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < region.words();
       i += stride) {
    const uint32_t word = word_of(region, i);
    hash += hash_of_word(word, i);
    not_finite += not_finite_in(word, i, region.numbers);
  }
  hash = block_sum<kThreads>(hash, partials);
  __syncthreads();
  not_finite = block_sum<kThreads>(not_finite, partials);
  if (threadIdx.x != 0) return;
  add_to(&params.digest->hash, hash);
  if (not_finite > 0) add_to(&params.digest->not_finite, not_finite);
}

// Items of whole units.
template <int kThreads, class Unit>
__global__ void __launch_bounds__(kThreads) mirror_items(MirrorParams params) {
  const ItemAxis& axis = params.axis;
  const int64_t units = axis.item_bytes / static_cast<int64_t>(sizeof(Unit));
  const int64_t total = axis.outer * axis.count * units;
  const int64_t stride = static_cast<int64_t>(gridDim.x) * kThreads;
  for (int64_t i = static_cast<int64_t>(blockIdx.x) * kThreads + threadIdx.x; i < total;
       i += stride) {
    const int64_t unit = i % units, item = i / units % axis.count, run = i / units / axis.count;
    const int64_t other = mirrored(item, params.about, axis.count);
    if (item >= other) continue;
    Unit* items = reinterpret_cast<Unit*>(static_cast<char*>(axis.data) + run * axis.pitch_bytes);
    const Unit kept = items[item * units + unit];
    items[item * units + unit] = items[other * units + unit];
    items[other * units + unit] = kept;
  }
}

}  // namespace alsbench
