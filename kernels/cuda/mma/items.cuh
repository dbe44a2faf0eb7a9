// SPDX-License-Identifier: Apache-2.0
// The items that a warp of a tensor-core variant works through, from a queue, and what the rings of
// asynchronous copies in shared memory have in common, whatever the type of the factors.
#pragma once

#include "kernels/cuda/device/lane.cuh"
#include "kernels/cuda/device/shared.cuh"
#include "kernels/cuda/mma/layout.cuh"

namespace alsbench {

// The operands that the arguments of several stages have in common.
__device__ __forceinline__ const UpdateParams& update_of(const UpdateParams& p) { return p; }

// The warps of a team, which work on the same row, each have such items, the same ones: they share
// the rings. `Part` says which warp this is.
template <typename Part, typename Factor, int kStages>
class MmaItems {
 protected:
  static constexpr int kTeam = Part::kTeam;
  static constexpr MmaLayout kLayout = ring_layout<Part::kRank, Factor>(kStages, Part::kWarpgroups);
  static constexpr int kGroup = kLayout.group();
  static constexpr unsigned kAllLanes = 0xffffffffu;

 public:
  // Whether two groups of an item have one barrier of a team: a copy then goes where the group
  // before the last one was.
  static constexpr bool kPaired = kTeam > 2 && kStages > 3 && !Part::kWarpgroups;
  // Groups whose copies are under way. Warpgroups multiply two at a time.
  static constexpr int kAhead = kLayout.ahead() - (kPaired || Part::kWarpgroups ? 1 : 0);

  // `ring`: the address of MmaLayout::ring_bytes() of shared memory.
  __device__ __forceinline__ MmaItems(const UpdateParams& p, uint32_t ring)
      : p_(p), ring_(ring), lane_(static_cast<uint32_t>(fresh_lane())), member_(Part::member()) {}

  __device__ __forceinline__ uint32_t lane() const { return lane_; }
  __device__ __forceinline__ int member() const { return member_; }
  // The item whose last group is `group`.
  struct Ended {
    int row, slot, count;  // of the batch or -1: no more; of the piece or -1; ratings
  };
  __device__ __forceinline__ Ended ended(int group) const {
    uint32_t words[4];
    load_shared(words, slot(group) + 4 * (2 * kGroup + kRowWord));
    return {static_cast<int>(words[0]), static_cast<int>(words[1]), static_cast<int>(words[2])};
  }
  __device__ __forceinline__ uint32_t stage_address(int stage) const {
    return ring_ + stage * kLayout.stage_bytes();
  }
  // Whether the group fetched 2 kAhead groups ago, or as many more, was the last of its item.
  __device__ __forceinline__ bool ends_item(int more = 0) const {
    return (ends_ >> (2 * kAhead + more) & 1) != 0;
  }

 protected:
  // Whether this warp of the team fetches a group and stores its ratings: the warps in turn, since
  // all wait for the one that does.
  __device__ __forceinline__ bool stores(int group) const {
    if constexpr (kTeam <= 2) return member_ == 0;
    return static_cast<unsigned>(group) % kTeam == static_cast<unsigned>(member_);
  }

  __device__ __forceinline__ uint32_t slot(int group) const {
    return ring_ + kStages * kLayout.stage_bytes() +
           (group & (kLayout.slots() - 1)) * kLayout.slot_bytes();
  }

  __device__ __forceinline__ void take_first_items() {
    if constexpr (kTeam > 1)
      taken_ =
          static_cast<const RowCounters*>(p_.workspace)->tickets + static_cast<int>(blockIdx.x);
    ticket_ = take_ticket();
    next_ = fetch_item(__shfl_sync(kAllLanes, ticket_, 0));
    ticket_ = take_ticket();
  }

  // Goes on to the next item; its first cell of the ratings.
  __device__ __forceinline__ int64_t next_item() {
    uint32_t begin = 0;
    do {  // a listed row among all rows is passed over: it was handed out
      item_ = next_;
      next_ = fetch_item(__shfl_sync(kAllLanes, ticket_, 0));
      ticket_ = take_ticket();
      begin = __shfl_sync(kAllLanes, item_, 0);
      left_ = static_cast<int>(__shfl_sync(kAllLanes, item_, 2) - begin);
    } while (left_ > p_.plan.pieces.listed_above);
    left_ = abs(left_);
    if (lane_ == kCountWord) item_ = static_cast<uint32_t>(left_);
    const uint32_t begin_high = __shfl_sync(kAllLanes, item_, 1);
    return static_cast<int64_t>(uint64_t{begin_high} << 32 | begin);
  }

  // After the copies of a group: with its last group the item is stored. `word`: of the group's
  // slot, this lane's.
  __device__ __forceinline__ void end_group(int group, uint32_t word) {
    left_ = left_ > kGroup ? left_ - kGroup : 0;
    ends_ = ends_ << 1 | (left_ == 0 ? 1u : 0u);
    if (stores(group) && left_ == 0 && lane_ < kRowItemWords)
      store_shared(word + 8 * kGroup, item_);
  }

  const UpdateParams& p_;
  uint32_t ring_;
  uint32_t lane_;
  int member_;    // of the team
  int left_ = 0;  // ratings of the item that were not fetched

 private:
  static constexpr int kRowWord = 4, kCountWord = 6;  // of RowItem; the second one put there

  // Teams, whose warps cannot ask each other, take every n-th item: of a list in order of length,
  // so each gets as much work.
  __device__ __forceinline__ int take_ticket() {
    if constexpr (kTeam > 1) {
      const int ticket = taken_;
      taken_ += static_cast<int>(gridDim.x);
      return ticket;
    }
    return add_if(lane_ == 0, &static_cast<RowCounters*>(p_.workspace)->tickets, 1);
  }

  // Word `lane` of the item of a ticket: the list from its end, then all rows in their order where
  // not all are listed.
  __device__ __forceinline__ uint32_t fetch_item(int ticket) const {
    if (lane_ >= kRowItemWords) return 0;
    if (ticket < 0) {
      const char* items = static_cast<const char*>(p_.workspace) + p_.plan.pieces.items_at;
      return reinterpret_cast<const uint32_t*>(items)[int64_t{~ticket} * kRowItemWords + lane_];
    }
    // A product, since a choice would cost registers.
    const bool more = ticket < p_.row_count * (1 - p_.plan.pieces.all_listed);
    if (lane_ < kRowWord)
      return more ? reinterpret_cast<const uint32_t*>(p_.ratings.offsets + p_.first_row +
                                                      ticket)[lane_]
                  : 0;
    return lane_ == kRowWord && more ? static_cast<uint32_t>(ticket) : 0xffffffffu;
  }

  int ticket_;            // lane 0: taken but not used
  uint32_t next_, item_;  // the words of the next item and of the item at hand, one a lane
  int taken_ = 0;         // by a team, next
  uint32_t ends_ = 0;     // bit i: the group fetched i groups ago was the last of its item
};

}  // namespace alsbench
