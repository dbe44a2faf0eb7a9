// SPDX-License-Identifier: Apache-2.0
// The groups of 16 ratings that a warp of a tensor-core variant works through, whatever rows they
// belong to: two rings of asynchronous copies in shared memory, of the groups' indices and ratings
// and, as many groups later, of their factor rows.
#pragma once

#include "kernels/cuda/device/element.cuh"
#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/mma/bias.cuh"
#include "kernels/cuda/mma/items.cuh"

namespace alsbench {

// Of the warps of a team each copies its part of the factor rows, and the first one the rest.
template <typename Part, typename Factor, int kStages, bool kL1>
class MmaStream : public MmaItems<Part, Factor, kStages> {
  using Items = MmaItems<Part, Factor, kStages>;

 protected:
  using Items::kGroup;
  using Items::kLayout;
  using Items::lane_;

 private:
  using Items::kTeam;
  using Items::left_;
  using Items::member_;
  using Items::p_;
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

  __device__ __forceinline__ MmaStream(const UpdateParams& p, uint32_t ring) : Items(p, ring) {
    source_ = held(reinterpret_cast<int64_t>(p.factors.data) + first_vector() * kVectorBytes);
    this->take_first_items();
  }

  // Starts copying the indices and ratings of `group`, the next one; index -1 and rating 0 past
  // the end of the item.
  __device__ __forceinline__ void fetch(int group) {
    if (left_ == 0) next_cells();
    const uint32_t word = this->slot(group) + 4 * lane_;
    if (this->stores(group)) {
      if (static_cast<int>(lane_ % kGroup) < left_)
        copy_word_async(word, cells_);
      else
        store_shared(word, lane_ < kGroup ? 0xffffffffu : 0u);
    }
    cells_ += kGroup;
    this->end_group(group, word);
  }

  // Reads the index that a part of the group's copies needs, ahead of them.
  __device__ __forceinline__ void read_index(int group, int part) {
    indices_[part] =
        static_cast<int>(load_shared(this->slot(group) + 4 * (part * kRows + first_row())));
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
    return this->stage_address(stage) + first_row() * kLayout.row_bytes() +
           first_vector() * kVectorBytes;
  }

  // Stores the group's ratings next to its factor rows: rounded, and what the rounding missed.
  __device__ __forceinline__ void store_ratings(int group, int stage) const {
    if (!this->stores(group)) return;
    const float rating =
        __uint_as_float(load_shared(this->slot(group) + 4 * lane_)) * p_.ratings.half_scale;
    const Factor rounded = Factor::of(rating);
    constexpr int kBytes = kLayout.element;
    const uint32_t target =
        this->stage_address(stage) + kLayout.ratings_at() + kBytes * (lane_ - kGroup);
    store_shared_if(lane_ >= kGroup, target, rounded.bits);
    store_shared_if(lane_ >= kGroup, target + kBytes * kGroup,
                    Factor::of(rating - rounded.value()).bits);
  }

 private:
  // Of a group's, what this lane copies first.
  __device__ __forceinline__ uint32_t first_row() const {
    return lane_ / kLanes + member_ % kRowWarps * kAtOnce;
  }
  __device__ __forceinline__ uint32_t first_vector() const {
    return lane_ % kLanes + member_ / kRowWarps * kLanes;
  }

  __device__ __forceinline__ void next_cells() {
    const int64_t cell = this->next_item();
    const uint32_t lane = lane_ % kGroup;
    cells_ = lane_ < kGroup ? reinterpret_cast<const uint32_t*>(p_.ratings.indices) + cell + lane
                            : reinterpret_cast<const uint32_t*>(p_.ratings.values) + cell + lane;
  }

  int64_t source_;                   // address of this lane's first vector of row 0
  int indices_[kParts];              // of the rows that this lane copies from
  const uint32_t* cells_ = nullptr;  // this lane's, of the group to fetch next
};

}  // namespace alsbench
