// SPDX-License-Identifier: Apache-2.0
// The groups of 32 ratings that a warp works through where factors are bytes: as stream.cuh, but
// every lane copies an index and a rating of a group, and the factor rows that it copies lie one
// after another in shared memory, so it reads their indices as vectors.
#pragma once

#include "kernels/cuda/device/bytes.cuh"
#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/mma/items.cuh"

namespace alsbench {

// The two bytes of a scaled rating: see Int8 and Fp8.
template <typename Byte>
struct RatingBytes;
template <>
struct RatingBytes<Int8> {
  int whole, upper;

  __device__ __forceinline__ explicit RatingBytes(float rating)
      : whole(to_integer(rating * 0.5f)),
        upper(to_integer(static_cast<float>(whole) * (1.0f / 254))) {}
  __device__ __forceinline__ uint32_t high() const { return static_cast<uint32_t>(upper); }
  __device__ __forceinline__ uint32_t low() const {
    return static_cast<uint32_t>(whole - 254 * upper);
  }
};
template <>
struct RatingBytes<Fp8> {
  float rating;
  uint8_t upper;

  __device__ __forceinline__ explicit RatingBytes(float rating_)
      : rating(rating_), upper(float_to_e4m3(rating_ * (1.0f / Fp8::kRatingHigh))) {}
  __device__ __forceinline__ uint32_t high() const { return upper; }
  __device__ __forceinline__ uint32_t low() const {
    const float left = rating - Fp8::kRatingHigh * e4m3_to_float(upper);
    return float_to_e4m3(left * (1.0f / Fp8::kRatingLow));
  }
};

template <typename Part, typename Byte, int kStages, bool kL1>
class ByteStream : public MmaItems<Part, Byte, kStages> {
  using Items = MmaItems<Part, Byte, kStages>;
  using Items::kGroup;
  using Items::kLayout;
  using Items::kTeam;
  using Items::lane_;
  using Items::left_;
  using Items::member_;
  using Items::p_;
  static constexpr int kVectorBytes = 16, kVectors = kLayout.vectors();
  // Neighbouring lanes copy a factor row; lanes of the same place in other rows copy other rows.
  static constexpr int kLanes = kVectors > 4 ? 8 : kVectors > 2 ? 4 : 2;
  static constexpr int kLaneRows = kGroup / (32 / kLanes);  // of all warps of a team
  static_assert(kLaneRows % kTeam == 0 || kTeam % kLaneRows == 0, "every warp copies as much");
  static constexpr int kRowWarps = kTeam < kLaneRows ? kTeam : kLaneRows;
  static constexpr int kVectorWarps = kTeam / kRowWarps, kWidth = kVectorWarps * kLanes;

 public:
  // Rows of a group that a lane copies (its part of).
  static constexpr int kParts = kLaneRows / kRowWarps;

  __device__ __forceinline__ ByteStream(const UpdateParams& p, uint32_t ring) : Items(p, ring) {
    constexpr int64_t kRowsAt = ByteFactors{Part::kRank}.rows_at();
    source_ =
        held(reinterpret_cast<int64_t>(p.factors.data) + kRowsAt + first_vector() * kVectorBytes);
    this->take_first_items();
  }

  // Starts copying the indices and ratings of `group`, the next one; index -1 and rating 0 past
  // the end of the item, which a second group of two does not go beyond.
  __device__ __forceinline__ void fetch(int group, bool second = false) {
    if (left_ == 0 && !second) cell_ = this->next_item() + lane_;
    const uint32_t word = this->slot(group) + 4 * lane_;
    if (this->stores(group)) {
      if (static_cast<int>(lane_) < left_) {
        copy_word_async(word, reinterpret_cast<const uint32_t*>(p_.ratings.indices) + cell_);
        copy_word_async(word + 4 * kGroup,
                        reinterpret_cast<const uint32_t*>(p_.ratings.values) + cell_);
      } else {
        store_shared(word, 0xffffffffu);
        store_shared(word + 4 * kGroup, 0u);
      }
    }
    cell_ += kGroup;
    this->end_group(group, word);
  }

  // Reads the indices that the copies of a group need, ahead of them; with part 0 all. Those of a
  // second group stand behind the first one's.
  __device__ __forceinline__ void read_index(int group, int part, int second = 0) {
    if (part != 0) return;
    int* indices = indices_ + second * kParts;
    const uint32_t first = this->slot(group) + 4 * first_row();
    if constexpr (kParts % 4 == 0) {
#pragma unroll
      for (int i = 0; i < kParts; i += 4) {
        uint32_t words[4];
        load_shared(words, first + 4 * i);
#pragma unroll
        for (int k = 0; k < 4; ++k) indices[i + k] = static_cast<int>(words[k]);
      }
    } else {
#pragma unroll
      for (int i = 0; i < kParts; ++i) indices[i] = static_cast<int>(load_shared(first + 4 * i));
    }
  }

  // Starts copying a part of the factor rows; `target`: copy_target() of the stage.
  __device__ __forceinline__ void copy(uint32_t target, int part, int second = 0) const {
    const int index = indices_[second * kParts + part];
    constexpr int kRowBytes = ByteFactors{Part::kRank}.row_bytes();
    const auto* row =
        reinterpret_cast<const char*>(source_ + static_cast<int64_t>(index) * kRowBytes);
    target += part * kLayout.row_bytes();
#pragma unroll
    for (int before = 0; before < kVectors; before += kWidth)
      if (before + kWidth <= kVectors || before + first_vector() < kVectors)
        copy_async_or_clear<kL1>(target + before * kVectorBytes, row + before * kVectorBytes,
                                 index);
  }
  __device__ __forceinline__ uint32_t copy_target(int stage) const {
    return this->stage_address(stage) + first_row() * kLayout.row_bytes() +
           first_vector() * kVectorBytes;
  }

  // Stores the group's ratings next to its factor rows, as two bytes each. Rating 8 a + 2 t + e of
  // half h stands at byte 16 h + 4 t + 2 a + e, where the operands have its factors.
  __device__ __forceinline__ void store_ratings(int group, int stage) const {
    if (this->stores(group)) put_rating(load_rating(group), stage);
  }
  // The same in two steps, the first of which takes long.
  __device__ __forceinline__ float read_rating(int group) const {
    return this->stores(group) ? load_rating(group) : 0;
  }
  __device__ __forceinline__ void store_rating(float rating, int group, int stage) const {
    if (this->stores(group)) put_rating(rating, stage);
  }

 private:
  __device__ __forceinline__ float load_rating(int group) const {
    return __uint_as_float(load_shared(this->slot(group) + 4 * kGroup + 4 * lane_));
  }
  __device__ __forceinline__ void put_rating(float value, int stage) const {
    const RatingBytes<Byte> rating(value * p_.ratings.half_scale);
    const uint32_t place = (lane_ & 16) + (lane_ & 6) * 2 + (lane_ & 8) / 4 + (lane_ & 1);
    const uint32_t target = this->stage_address(stage) + kLayout.ratings_at() + place;
    store_shared_byte(target, rating.high());
    store_shared_byte(target + kGroup, rating.low());
  }

  // Of a group's, what this lane copies first.
  __device__ __forceinline__ uint32_t first_row() const {
    return lane_ / kLanes * kLaneRows + member_ % kRowWarps * kParts;
  }
  __device__ __forceinline__ uint32_t first_vector() const {
    return lane_ % kLanes + member_ / kRowWarps * kLanes;
  }

  int64_t source_;  // address of this lane's first vector of row 0
  int indices_[kParts * (Part::kWarpgroups ? 2 : 1)];  // of the rows that this lane copies from
  int64_t cell_ = 0;                                   // this lane's, of the group to fetch next
};

}  // namespace alsbench
