// SPDX-License-Identifier: Apache-2.0
// top_k: a block takes kRows users at a time through all items, tile by tile. Scores never leave
// the registers but where one is above its row's threshold: it is then a candidate, in the
// workspace. When a row's candidates may not hold another tile, a warp keeps the best k and raises
// the threshold. Grid: any; the workspace holds the candidates of each block.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/recommend/candidates.cuh"
#include "kernels/cuda/recommend/score_tile.cuh"
#include "kernels/shared/params/recommend.h"

namespace alsbench {

__device__ __forceinline__ float infinity() { return __uint_as_float(0x7f800000u); }

// Work of a block on its users; threads share all of it but their place among seen items.
template <int kRank, int kRows, int kItems, int kCapacity>
class TopKBlock {
  static constexpr TopKLayout kLayout{kRank, kRows, kItems, kCapacity};
  static constexpr int kThreads = TopKLayout::kThreads, kWarps = kThreads / 32;
  static constexpr int kMarkers = kThreads / kRows;  // threads that mark the seen items of a row
  static_assert(32 % kMarkers == 0, "they are of one warp");

 public:
  __device__ __forceinline__ TopKBlock(const TopKParams& p, char* shared)
      : p_(p),
        factors_(shared_address(shared)),
        seen_(reinterpret_cast<uint32_t*>(shared + kLayout.seen_at())),
        thresholds_(reinterpret_cast<float*>(shared + kLayout.thresholds_at())),
        counts_(reinterpret_cast<int*>(shared + kLayout.counts_at())),
        candidates_(static_cast<uint64_t*>(p.workspace) + blockIdx.x * kLayout.block_candidates()) {
  }

  // The users from `first` on.
  __device__ __forceinline__ void recommend(int64_t first) {
    start(first);
    for (int64_t tile = 0; tile < p_.theta.rows; tile += kItems) {
      mark_seen(tile);
      wait_copies<0>();
      __syncthreads();
      ScoreTile<kRank, kRows, kItems> scores;
      scores.multiply(factors_, factors_ + kLayout.items_at());
      __syncthreads();
      if (tile + kItems < p_.theta.rows) copy(p_.theta, tile + kItems, kItems, kLayout.items_at());
      commit_copies();
      scores.for_each_above(thresholds_, [&](int row, int item, float score) {
        if ((seen_[row * kLayout.words() + item / 32] >> item % 32 & 1) != 0) return;
        of_row(row)[atomicAdd(&counts_[row], 1)] =
            candidate(score, static_cast<uint32_t>(tile + item));
      });
      __syncthreads();
      make_room();
    }
    write(first);
    __syncthreads();  // before the next users take the place
  }

 private:
  static __device__ __forceinline__ int thread() { return static_cast<int>(threadIdx.x); }
  __device__ __forceinline__ uint64_t* of_row(int row) const {
    return candidates_ + row * kCapacity;
  }

  __device__ __forceinline__ void start(int64_t first) {
    copy(p_.x, first, kRows, 0);
    copy(p_.theta, 0, kItems, kLayout.items_at());
    commit_copies();
    for (int row = thread(); row < kRows; row += kThreads) {
      thresholds_[row] = first + row < p_.x.rows ? -infinity() : infinity();
      counts_[row] = 0;
    }
    const int64_t row = first + thread() / kMarkers;
    next_ = end_ = 0;
    if (row >= p_.x.rows) return;
    next_ = p_.seen.offsets[row] + thread() % kMarkers;
    end_ = p_.seen.offsets[row + 1];
  }

  // Starts copying factor rows; zeros past the last row and past the padding.
  __device__ __forceinline__ void copy(const FactorsView& from, int64_t first, int count,
                                       uint32_t at) const {
    constexpr int kVectors = kLayout.columns() / 4;
    for (int i = thread(); i < count * kVectors; i += kThreads) {
      const int row = i / kVectors, vector = i % kVectors;
      const bool is_there = first + row < from.rows;
      const float* source = static_cast<const float*>(from.data) +
                            (is_there ? (first + row) * from.pitch + 4 * vector : 0);
      copy_async_or_clear<false>(factors_ + at + row * kLayout.pitch_bytes() + 16 * vector, source,
                                 is_there ? 0 : -1);
    }
  }

  // The bits of the items from `tile` on that are seen, or past the last item. Seen items ascend:
  // each thread goes on where it was.
  __device__ __forceinline__ void mark_seen(int64_t tile) {
    uint32_t* words = seen_ + thread() / kMarkers * kLayout.words();
    for (int word = thread() % kMarkers; word < kLayout.words(); word += kMarkers) {
      const int64_t left = p_.theta.rows - tile - 32 * word;
      words[word] = left >= 32 ? 0 : left <= 0 ? 0xffffffffu : 0xffffffffu << left;
    }
    __syncwarp();
    for (; next_ < end_; next_ += kMarkers) {
      const int64_t item = load_index(p_.seen.indices + next_) - tile;
      if (item >= kItems) break;
      atomicOr(words + item / 32, 1u << item % 32);
    }
  }

  __device__ __forceinline__ void make_room() {
    for (int row = thread() / 32; row < kRows; row += kWarps) {
      const int count = counts_[row];
      if (count <= kCapacity - kItems) continue;
      const float worst = keep_best<kCapacity>(of_row(row), count, p_.k);
      if (fresh_lane() != 0) continue;
      counts_[row] = p_.k;
      thresholds_[row] = worst;
    }
    __syncwarp();  // the same warp writes its rows
  }

  __device__ __forceinline__ void write(int64_t first) {
    for (int row = thread() / 32; row < kRows; row += kWarps) {
      if (first + row >= p_.x.rows) return;
      int count = counts_[row];
      if (count > p_.k) {
        keep_best<kCapacity>(of_row(row), count, p_.k);
        count = p_.k;
        __syncwarp();
      }
      constexpr int kEach = kLayout.max_k() / 32;
      WarpCandidates<kEach> best(of_row(row), count);
      best.sort();
      const int lane = fresh_lane();
#pragma unroll
      for (int i = 0; i < kEach; ++i) {
        const int place = 32 * i + lane;
        if (place >= p_.k) continue;
        const int64_t at = (first + row) * p_.k + place;
        p_.items[at] = place < count ? item_of(best.own[i]) : -1;
        p_.scores[at] = place < count ? score_of(best.own[i]) : -infinity();
      }
    }
  }

  const TopKParams& p_;
  uint32_t factors_;  // address in shared memory
  uint32_t* seen_;
  float* thresholds_;
  int* counts_;
  uint64_t* candidates_;
  int64_t next_ = 0, end_ = 0;  // of the seen items that this thread marks
};

template <int kRank, int kRows, int kItems, int kCapacity, int kBlocks>
__global__ void __launch_bounds__(TopKLayout::kThreads, kBlocks) top_k(TopKParams p) {
  extern __shared__ float4 shared_memory[];
  TopKBlock<kRank, kRows, kItems, kCapacity> block(p, reinterpret_cast<char*>(shared_memory));
  for (int64_t first = int64_t{blockIdx.x} * kRows; first < p.x.rows;
       first += int64_t{gridDim.x} * kRows)
    block.recommend(first);
}

}  // namespace alsbench
