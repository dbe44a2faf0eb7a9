// The groups of 16 ratings that a warp of a tensor-core variant works through, whatever rows they
// belong to: items from a queue, their indices and ratings read one group ahead, the factor rows
// copied asynchronously into a ring in shared memory. Used by multiply.cuh.
#pragma once

#include "kernels/cuda/device/load.cuh"
#include "kernels/cuda/device/mma.cuh"
#include "kernels/cuda/mma/bias.cuh"

namespace alsbench {

// kTeam warps that work on the same row each have such a stream, of the same items: they share the
// ring, each copies its part, and the first one stores ratings and items.
template <int kRank, int kStages, int kChunk, bool kL1, bool kPacked, bool kOrdered, int kTeam>
class MmaStream {
  static constexpr MmaLayout kLayout{kRank, kStages};
  static constexpr unsigned kAllLanes = 0xffffffffu;
  // 8 rows of 4 vectors fill an instruction: `main` vectors of all rows are copied so, the rest one
  // or two vectors of 16 rows at a time.
  static constexpr int kMain = kLayout.main_vectors(), kRest = kLayout.vectors() - kMain;
  static constexpr int kMainCopies = kMain / 2;

 public:
  static constexpr int kCopies =
      kMainCopies + (kRest + 1) / 2;  // that each lane starts for a group

  // `ring` is the warp's (or team's) shared memory: kStages groups, then kStages items.
  __device__ __forceinline__ MmaStream(const UpdateParams& p, char* ring)
      : p_(p), ring_(ring), lane_(threadIdx.x % 32) {
    const auto* counters = static_cast<const RowCounters*>(p.workspace);
    pieces_ = counters->pieces;
    scale_ = rating_scale(p);
    if constexpr (kPacked)
      packed_ = static_cast<const char*>(p.workspace) +
                PieceWorkspace{p.ratings.nnz, kChunk, mma_slot_bytes(kRank)}.bytes();
    ticket_ = take_ticket();
    next_ = fetch_item(__shfl_sync(kAllLanes, ticket_, 0));
    ticket_ = take_ticket();
    next_item();
    next_group();
  }

  __device__ __forceinline__ float scale() const { return scale_; }
  __device__ __forceinline__ const RowItem& item(int stage) const {
    return reinterpret_cast<const RowItem*>(ring_ + kStages * kLayout.stage_bytes())[stage];
  }

  // Starts copies [first, last) of the group at hand.
  __device__ __forceinline__ void copy(int stage, int first, int last) const {
#pragma unroll
    for (int i = first; i < last; ++i)
      if (kTeam == 1 || i % kTeam == static_cast<int>(threadIdx.x) / 32) copy(stage, i);
  }
  // Starts copy `i` of the group at hand into a stage of the ring.
  __device__ __forceinline__ void copy(int stage, int i) const {
    const int lane = unknown(lane_);
    if (i < kMainCopies) {
      // 8 rows are whole instructions: the other 8 have the same places in them.
      constexpr int kPeriod = kMain > 0 ? kMain / 4 : 1;
      const int vector = i % kPeriod * 32 + lane;
      copy_vector(stage, vector / (4 * kPeriod) + i / kPeriod * 8, vector % (4 * kPeriod), true);
    } else {
      const int at = (i - kMainCopies) * 2 + lane / MmaLayout::kGroup;
      copy_vector(stage, lane % MmaLayout::kGroup, kMain + at, at < kRest);
    }
  }

  // Goes on to the next group, the first one at first: what was read ahead is now at hand, to be
  // copied into a stage of the ring, and what follows is read. With an item's last group the item
  // is stored.
  __device__ __forceinline__ void advance(int stage) {
    at_hand_ = word_;
    ends_ = ends_ << 1 | (left_ == 0 ? 1u : 0u);
    if (left_ == 0) {
      auto* words = reinterpret_cast<uint32_t*>(ring_ + kStages * kLayout.stage_bytes());
      if (stores() && lane_ < kRowItemWords) words[stage * kRowItemWords + lane_] = item_;
      next_item();
    }
    next_group();
  }

  // Stores the ratings of the group at hand beside its factor rows and ends its copies.
  __device__ __forceinline__ void finish(int stage) const {
    if (stores()) store_rating(ring_ + stage * kLayout.stage_bytes() + kLayout.ratings_at());
    commit_copies();
  }

  // Whether the group that the oldest stage holds is the last of its item.
  __device__ __forceinline__ bool ends_item() const { return (ends_ >> (kStages - 1) & 1) != 0; }

 private:
  static constexpr int kRowWord = 4;  // of RowItem

  __device__ __forceinline__ bool stores() const { return kTeam == 1 || threadIdx.x < 32; }

  // Teams, whose warps cannot ask each other, take every n-th item.
  __device__ __forceinline__ uint32_t take_ticket() {
    if constexpr (kTeam > 1) return taken_++ * gridDim.x + blockIdx.x;
    auto* counters = static_cast<RowCounters*>(p_.workspace);
    return lane_ == 0 ? atomicAdd(&counters->tickets, 1u) : 0;
  }

  // Word `lane` of the item of a ticket: pieces of long rows first, then all rows.
  __device__ __forceinline__ uint32_t fetch_item(uint32_t ticket) const {
    if (lane_ >= kRowItemWords) return 0;
    if (ticket < pieces_) {
      const char* items = static_cast<const char*>(p_.workspace);
      if constexpr (kOrdered)
        items += PieceWorkspace{p_.ratings.nnz, kChunk}.ordered_at();
      else
        items += PieceWorkspace::kPiecesAt;
      return reinterpret_cast<const uint32_t*>(items)[int64_t{ticket} * kRowItemWords + lane_];
    }
    const int64_t row = int64_t{ticket} - pieces_;
    const bool more = row < p_.row_count;
    if (lane_ < kRowWord)
      return more
                 ? reinterpret_cast<const uint32_t*>(p_.ratings.offsets + p_.first_row + row)[lane_]
                 : 0;
    return lane_ == kRowWord && more ? static_cast<uint32_t>(row) : 0xffffffffu;
  }

  __device__ __forceinline__ void next_item() {
    uint32_t begin = 0;
    do {  // a long row among all rows is passed over: its pieces were handed out
      item_ = next_;
      next_ = fetch_item(__shfl_sync(kAllLanes, ticket_, 0));
      ticket_ = take_ticket();
      begin = __shfl_sync(kAllLanes, item_, 0);
      left_ = static_cast<int>(__shfl_sync(kAllLanes, item_, 2) - begin);
    } while (left_ > kChunk);
    const uint32_t begin_high = __shfl_sync(kAllLanes, item_, 1);
    const int64_t cell = static_cast<int64_t>(uint64_t{begin_high} << 32 | begin);
    const int lane = lane_ % MmaLayout::kGroup;
    cells_ = lane_ < MmaLayout::kGroup
                 ? reinterpret_cast<const uint32_t*>(p_.ratings.indices) + cell + lane
                 : reinterpret_cast<const uint32_t*>(p_.ratings.values) + cell + lane;
  }

  // Lanes 0 to 15 read the group's indices, -1 past the item's end, the others its ratings, 0
  // there.
  __device__ __forceinline__ void next_group() {
    word_ = lane_ < MmaLayout::kGroup ? 0xffffffffu : 0;
    if (lane_ % MmaLayout::kGroup < left_) word_ = load_ahead(cells_);
    cells_ += MmaLayout::kGroup;
    left_ = left_ > MmaLayout::kGroup ? left_ - MmaLayout::kGroup : 0;
  }

  // Vector `at` of a factor row. Not to be read where the index is -1.
  __device__ __forceinline__ const char* factor_vector(int index, int at) const {
    const auto row = static_cast<uint64_t>(static_cast<uint32_t>(index));
    if constexpr (!kPacked) {
      const uint32_t row_bytes = 2 * static_cast<uint32_t>(p_.factors.pitch);
      return static_cast<const char*>(p_.factors.data) + row * row_bytes + at * 16;
    } else {
      if (at < kMain) return packed_ + row * (kMain * 16) + at * 16;
      return packed_ + kLayout.packed_aside_at(p_.factors.rows) + row * (kRest * 16) +
             (at - kMain) * 16;
    }
  }

  __device__ __forceinline__ void copy_vector(int stage, int row, int at, bool wanted) const {
    const int index = __shfl_sync(kAllLanes, static_cast<int>(at_hand_), row);
    if (!wanted) return;
    copy_async_or_clear<kL1>(
        shared_address(ring_) + stage * kLayout.stage_bytes() + row * kLayout.row_bytes() + at * 16,
        factor_vector(index, at), index >= 0);
  }

  // The rating as a half and what that half misses: 22 bits.
  __device__ __forceinline__ void store_rating(char* ratings) const {
    if (lane_ < MmaLayout::kGroup) return;
    const float rating = __uint_as_float(at_hand_) * scale_;
    const uint16_t high = float_to_half(rating);
    auto* halves = reinterpret_cast<uint16_t*>(ratings) + (lane_ - MmaLayout::kGroup);
    halves[0] = high;
    halves[MmaLayout::kGroup] = float_to_half(rating - half_to_float(high));
  }

  const UpdateParams& p_;
  char* ring_;
  const char* packed_ = nullptr;  // the factors, where they are packed
  int lane_;
  uint32_t pieces_;
  float scale_;
  uint32_t ticket_, next_, item_;  // lane 0: taken but not used; the words of the next item and of
                                   // the item at hand, one a lane
  const uint32_t* cells_;          // this lane's, of the group to read next
  uint32_t word_;                  // this lane's, of that group
  uint32_t at_hand_ = 0;           // the same of the group at hand
  int left_;                       // ratings of the item that no group has yet
  uint32_t taken_ = 0;             // by a team
  uint32_t ends_ = 0;  // bit i: the group finished i groups ago was the last of its item
};

}  // namespace alsbench
