// SPDX-License-Identifier: Apache-2.0
// The groups of 16 ratings that a warp of a tensor-core variant works through, whatever rows they
// belong to: items from a queue, and two rings of asynchronous copies in shared memory, of the
// groups' indices and ratings and, as many groups later, of their factor rows.
#pragma once

#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/device/shared.cuh"
#include "kernels/cuda/mma/bias.cuh"

namespace alsbench {

// The warps of a team, which work on the same row, each have such a stream, of the same items: they
// share the rings, each copies its part of the factor rows, and the first one the rest. `Part` says
// which warp this is.
template <typename Part, typename Factor, int kStages, bool kL1>
class MmaStream {
  static constexpr int kTeam = Part::kTeam;
  static constexpr MmaLayout kLayout = ring_layout<Part::kRank, Factor>(kStages);
  static constexpr int kGroup = MmaLayout::kGroup;
  static constexpr unsigned kAllLanes = 0xffffffffu;
  // A few neighbouring lanes copy a factor row, in vectors of 16 bytes; a warp copies kAtOnce rows
  // until all their vectors are under way. The warps of a team share the rows of a group and, where
  // they are more than that, the vectors of a row.
  static constexpr int kVectorBytes = 16, kVectors = kLayout.vectors();
  static constexpr int kLanes = kVectors > 4 ? 8 : 4;
  static constexpr int kAtOnce = 32 / kLanes, kAll = kGroup / kAtOnce;
  static constexpr int kRowWarps = kTeam < kAll ? kTeam : kAll, kVectorWarps = kTeam / kRowWarps;
  static constexpr int kRows = kRowWarps * kAtOnce, kWidth = kVectorWarps * kLanes;
  static_assert(kGroup % kRows == 0 && kTeam % kRowWarps == 0, "every warp copies as much");

 public:
  // Parts of a group that a warp copies, for each of which a lane works out one address.
  static constexpr int kParts = kGroup / kRows;
  static constexpr int kAhead = kLayout.ahead();  // groups whose copies are under way

  // `ring`: the address of MmaLayout::ring_bytes() of shared memory.
  __device__ __forceinline__ MmaStream(const UpdateParams& p, uint32_t ring)
      : p_(p), ring_(ring), lane_(static_cast<uint32_t>(fresh_lane())), member_(Part::member()) {
    source_ = held(reinterpret_cast<int64_t>(p.factors.data) + first_vector() * kVectorBytes);
    if constexpr (kTeam > 1)
      taken_ = static_cast<const RowCounters*>(p.workspace)->tickets + static_cast<int>(blockIdx.x);
    ticket_ = take_ticket();
    next_ = fetch_item(__shfl_sync(kAllLanes, ticket_, 0));
    ticket_ = take_ticket();
  }

  __device__ __forceinline__ uint32_t lane() const { return lane_; }
  __device__ __forceinline__ int member() const { return member_; }
  // What the item was whose last group is `group`.
  struct Ended {
    int row, slot, count;  // of the batch or -1: no more; of the piece or -1; ratings
  };
  __device__ __forceinline__ Ended ended(int group) const {
    uint32_t words[4];
    load_shared(words, slot(group) + 4 * (2 * kGroup + kRowWord));
    return {static_cast<int>(words[0]), static_cast<int>(words[1]), static_cast<int>(words[2])};
  }

  // Starts copying the indices and ratings of `group`, the next one; index -1 and rating 0 past
  // the end of the item. With its last group the item is stored.
  __device__ __forceinline__ void fetch(int group) {
    if (left_ == 0) next_item();
    const uint32_t word = slot(group) + 4 * lane_;
    if (stores()) {
      if (static_cast<int>(lane_ % kGroup) < left_)
        copy_word_async(word, cells_);
      else
        store_shared(word, lane_ < kGroup ? 0xffffffffu : 0u);
    }
    cells_ += kGroup;
    left_ = left_ > kGroup ? left_ - kGroup : 0;
    ends_ = ends_ << 1 | (left_ == 0 ? 1u : 0u);
    if (stores() && left_ == 0 && lane_ < kRowItemWords) store_shared(word + 8 * kGroup, item_);
  }

  // Reads the index that a part of the group's copies needs, ahead of them.
  __device__ __forceinline__ void read_index(int group, int part) {
    indices_[part] = static_cast<int>(load_shared(slot(group) + 4 * (part * kRows + first_row())));
  }
  // Starts copying a part of the factor rows; `target`: copy_target() of the stage.
  __device__ __forceinline__ void copy(uint32_t target, int part) const {
    const auto* row = reinterpret_cast<const char*>(source_ + static_cast<int64_t>(indices_[part]) *
                                                                  (kVectors * kVectorBytes));
    target += part * kRows * kLayout.row_bytes();
#pragma unroll
    for (int before = 0; before < kVectors; before += kWidth)
      if (before + kWidth <= kVectors || before + first_vector() < kVectors)
        copy_async_or_clear<kL1>(target + before * kVectorBytes, row + before * kVectorBytes,
                                 indices_[part]);
  }
  __device__ __forceinline__ uint32_t copy_target(int stage) const {
    return stage_address(stage) + first_row() * kLayout.row_bytes() + first_vector() * kVectorBytes;
  }

  // Stores the group's ratings beside its factor rows: rounded, and what the rounding missed.
  __device__ __forceinline__ void store_ratings(int group, int stage) const {
    if (!stores()) return;
    const float rating =
        __uint_as_float(load_shared(slot(group) + 4 * lane_)) * p_.ratings.half_scale;
    const Factor rounded = Factor::of(rating);
    constexpr int kBytes = kLayout.element;
    const uint32_t target = stage_address(stage) + kLayout.ratings_at() + kBytes * (lane_ - kGroup);
    store_shared_if(lane_ >= kGroup, target, rounded.bits);
    store_shared_if(lane_ >= kGroup, target + kBytes * kGroup,
                    Factor::of(rating - rounded.value()).bits);
  }

  __device__ __forceinline__ uint32_t stage_address(int stage) const {
    return ring_ + stage * kLayout.stage_bytes();
  }

  // Whether the group fetched 2 ahead() groups ago was the last of its item.
  __device__ __forceinline__ bool ends_item() const {
    return (ends_ >> 2 * kLayout.ahead() & 1) != 0;
  }

 private:
  __device__ __forceinline__ bool stores() const { return member_ == 0; }
  // Of a group's, what this lane copies first.
  __device__ __forceinline__ uint32_t first_row() const {
    return lane_ / kLanes + member_ % kRowWarps * kAtOnce;
  }
  __device__ __forceinline__ uint32_t first_vector() const {
    return lane_ % kLanes + member_ / kRowWarps * kLanes;
  }

  __device__ __forceinline__ uint32_t slot(int group) const {
    return ring_ + kStages * kLayout.stage_bytes() +
           (group & (kLayout.slots() - 1)) * MmaLayout::kSlotBytes;
  }

  static constexpr int kRowWord = 4, kCountWord = 6;  // of RowItem; the second one put there

  // Teams, whose warps cannot ask each other, take every n-th item.
  __device__ __forceinline__ int take_ticket() {
    if constexpr (kTeam > 1) {
      const int ticket = taken_;
      taken_ += static_cast<int>(gridDim.x);
      return ticket;
    }
    return add_if(lane_ == 0, &static_cast<RowCounters*>(p_.workspace)->tickets, 1);
  }

  // Word `lane` of the item of a ticket: pieces of long rows first, then all rows.
  __device__ __forceinline__ uint32_t fetch_item(int ticket) const {
    if (lane_ >= kRowItemWords) return 0;
    if (ticket < 0) {
      const char* items = static_cast<const char*>(p_.workspace) + p_.plan.pieces.items_at;
      return reinterpret_cast<const uint32_t*>(items)[int64_t{~ticket} * kRowItemWords + lane_];
    }
    const bool more = ticket < p_.row_count;
    if (lane_ < kRowWord)
      return more ? reinterpret_cast<const uint32_t*>(p_.ratings.offsets + p_.first_row +
                                                      ticket)[lane_]
                  : 0;
    return lane_ == kRowWord && more ? static_cast<uint32_t>(ticket) : 0xffffffffu;
  }

  __device__ __forceinline__ void next_item() {
    uint32_t begin = 0;
    do {  // a long row among all rows is passed over: its pieces were handed out
      item_ = next_;
      next_ = fetch_item(__shfl_sync(kAllLanes, ticket_, 0));
      ticket_ = take_ticket();
      begin = __shfl_sync(kAllLanes, item_, 0);
      left_ = static_cast<int>(__shfl_sync(kAllLanes, item_, 2) - begin);
    } while (left_ > p_.plan.pieces.chunk);
    if (lane_ == kCountWord) item_ = static_cast<uint32_t>(left_);
    const uint32_t begin_high = __shfl_sync(kAllLanes, item_, 1);
    const int64_t cell = static_cast<int64_t>(uint64_t{begin_high} << 32 | begin);
    const uint32_t lane = lane_ % kGroup;
    cells_ = lane_ < kGroup ? reinterpret_cast<const uint32_t*>(p_.ratings.indices) + cell + lane
                            : reinterpret_cast<const uint32_t*>(p_.ratings.values) + cell + lane;
  }

  const UpdateParams& p_;
  uint32_t ring_;
  uint32_t lane_;
  int member_;                       // of the team
  int64_t source_;                   // address of this lane's first vector of row 0
  int indices_[kParts];              // of the rows that this lane copies from
  int ticket_;                       // lane 0: taken but not used
  uint32_t next_, item_;             // the words of the next item and of the item at hand, one a
                                     // lane
  const uint32_t* cells_ = nullptr;  // this lane's, of the group to fetch next
  int left_ = 0;                     // ratings of the item that were not fetched
  int taken_ = 0;                    // by a team, next
  uint32_t ends_ = 0;  // bit i: the group fetched i groups ago was the last of its item
};

}  // namespace alsbench
