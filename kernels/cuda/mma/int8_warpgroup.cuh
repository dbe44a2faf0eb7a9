// SPDX-License-Identifier: Apache-2.0
// A_u and b_u of one row after another by a block of one or two warpgroups (sm_90a), of factors
// that are signed bytes: as byte_team.cuh, but tensor cores read both operands from shared memory
// by themselves. They want ratings in a row, and factors lie in rows of features: each group is
// transposed once, for all warps, while the group before it is multiplied.
#pragma once

#include "kernels/cuda/device/wgmma.cuh"
#include "kernels/cuda/mma/byte_team.cuh"

namespace alsbench {

template <int kRank_>
struct Int8WarpgroupPart : TeamPart<kRank_, true> {
  using Team = TeamPart<kRank_, true>;
  using Sums = int[Team::kTiles][4];
  static constexpr MmaLayout kLayout = ring_layout<kRank_, Int8>(MmaLayout{}.stages, true);
  static constexpr int kPairs = Team::kPairs, kTeam = Team::kTeam;
  static constexpr int kPairBytes = 16 * kLayout.group();  // of an operand: 16 rows
  static constexpr int kMaxPairs = 16;                     // of an instruction

  // Starts sums += this warp's tiles of Theta^T Theta of a group whose operand is at an address of
  // shared memory. Where a round has fewer rows than the team has warps, the first of them read
  // what lies before the operand, for tiles that are not used.
  template <int kRound = 0>
  static __device__ __forceinline__ void multiply(Sums& sums, uint32_t operand, int member) {
    if constexpr (kRound < Team::kRounds) {
      constexpr int kLength = Team::kShares.length(kRound);
      constexpr int kFirst = kLength < kMaxPairs ? kLength : kMaxPairs;
      int(*tiles)[4] = sums + Team::kShares.first_tile(kRound);
      // The first row of the warpgroup: of its last warp, by number.
      const int row = Team::kShares.row(kRound, 0) - member / 4 * 4 - 3;
      const uint64_t a = warpgroup_operand(operand + row * kPairBytes);
      multiply_add_async<kFirst>(tiles, a, warpgroup_operand(operand));
      if constexpr (kLength > kFirst)
        multiply_add_async<kLength - kFirst>(tiles + 2 * kFirst, a,
                                             warpgroup_operand(operand + kFirst * kPairBytes));
      multiply<kRound + 1>(sums, operand, member);
    }
  }
  // The same of both groups of an operand.
  static __device__ __forceinline__ void multiply_both(Sums& sums, uint32_t operand, int member) {
    multiply(sums, operand, member);
    multiply(sums, operand + kLayout.operand_bytes() / 2, member);
  }
};

// The pairs of tiles of a group whose rows this warp transposes: 16 features of 32 ratings each, as
// of ByteOperands. All are read before the first is written, since each read takes long compared
// with products. The words are what a lane's place in a block of 8 features by 16 ratings is.
template <typename Part>
class Int8Transposition {
  static constexpr MmaLayout kLayout = Part::kLayout;
  static constexpr int kTeam = Part::kTeam, kLast = Part::kPairs - 1;
  // The last pair may have no features but the ratings alone.
  static constexpr int kPairs = kLayout.vectors(), kCount = (kPairs + kTeam - 1) / kTeam;

 public:
  __device__ __forceinline__ Int8Transposition(uint32_t stage, int lane, int member)
      : lane_(lane), member_(member) {
    const uint32_t rows = stage + lane * kLayout.row_bytes();
#pragma unroll
    for (int i = 0; i < kCount; ++i)
      if (has(i)) load_transposed(raw_[i], rows + pair(i) * 16);
    if (!has_ratings() || lane < 24) return;  // they stand in the last two of 8 columns
    const uint32_t parts =
        stage + kLayout.ratings_at() + lane / 4 % 2 * kLayout.group() + lane % 4 * 4;
    ratings_[0] = load_shared(parts);
    ratings_[1] = load_shared(parts + kLayout.group() / 2);
  }

  __device__ __forceinline__ void store(uint32_t operand) const {
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if (!has(i)) continue;
      const uint32_t(&raw)[4] = raw_[i];
      uint32_t words[4] = {even_bytes(raw[0], raw[1]), even_bytes(raw[2], raw[3]),
                           odd_bytes(raw[0], raw[1]), odd_bytes(raw[2], raw[3])};
      if (kLast < kPairs && i == kCount - 1) words[2] |= ratings_[0], words[3] |= ratings_[1];
      store_blocks(words, operand + pair(i) * Part::kPairBytes + 16 * lane_);
    }
    if (kLast < kPairs || !has_ratings()) return;
    const uint32_t target = operand + 4 * lane_;
    store_shared(target + kLast * Part::kPairBytes + 256, ratings_[0]);
    store_shared(target + kLast * Part::kPairBytes + 384, ratings_[1]);
  }

 private:
  __device__ __forceinline__ int pair(int i) const { return i * kTeam + member_; }
  __device__ __forceinline__ bool has(int i) const {
    return i < kCount - 1 || kPairs % kTeam == 0 || pair(i) < kPairs;
  }
  __device__ __forceinline__ bool has_ratings() const { return member_ == kLast % kTeam; }

  int lane_, member_;
  uint32_t raw_[kCount][4], ratings_[2] = {};
};

// A team's part of the tiles, of factors of that type; of bytes where warpgroups multiply.
template <int kRank, typename Factor, bool kWarpgroups = false>
using TeamPartOf = typename Choice<
    kWarpgroups, Int8WarpgroupPart<kRank>,
    typename Choice<sizeof(Factor) == 1, ByteTeamPart<kRank, Factor>, TeamPart<kRank>>::Type>::Type;

// State of the loop below in addition to its stream: which groups are multiplied and transposed.
template <typename Part, int kStages, bool kL1>
class WarpgroupLoop {
  using Stream = ByteStream<Part, Int8, kStages, kL1>;
  static constexpr MmaLayout kLayout = ring_layout<Part::kRank, Int8>(kStages, true);
  static constexpr int kAhead = Stream::kAhead, kParts = Stream::kParts;
  static_assert(kStages % 2 == 0 && kAhead >= 2, "groups are copied two at a time");

 public:
  __device__ __forceinline__ WarpgroupLoop(const UpdateParams& p, uint32_t ring)
      : stream_(p, ring), operands_(ring + kLayout.operands_at()) {
#pragma unroll 1
    for (int group = 0; group < kAhead; ++group) stream_.fetch(group, group % 2 != 0);
    commit_copies();
    wait_copies<0>();
    __syncthreads();
#pragma unroll 1
    for (int group = 0; group < kAhead; group += 2) {
      prepare_two(group);
      copy_two(group, group);
    }
  }

  __device__ __forceinline__ Stream& stream() { return stream_; }

  // sums += the products of the two groups before these two, while it makes these two an operand
  // and starts copying later ones; whether those two end an item, whose last is then last_group().
  __device__ __forceinline__ bool step(typename Part::Sums& sums) {
    wait_copies<kAhead / 2 - 1>();
    publish_operands();
    __syncthreads();
    const int free = stage_ > 0 ? stage_ - 2 : kStages - 2;
    const Int8Transposition<Part> first(stream_.stage_address(stage_),
                                        static_cast<int>(stream_.lane()), stream_.member());
    const Int8Transposition<Part> second(stream_.stage_address(stage_ + 1),
                                         static_cast<int>(stream_.lane()), stream_.member());
    prepare_two(group_ + kAhead);
    begin_products();
    Part::multiply_both(sums, operands_ + kLayout.operand_bytes() - operand_, stream_.member());
    commit_products();

    first.store(operands_ + operand_);
    second.store(operands_ + operand_ + kLayout.operand_bytes() / 2);
    copy_two(group_ + kAhead, free);
    group_ += 2, stage_ = stage_ + 2 < kStages ? stage_ + 2 : 0;
    operand_ = kLayout.operand_bytes() - operand_;
    wait_products();
    return stream_.ends_item(2);
  }
  __device__ __forceinline__ int last_group() const { return group_ - 3; }

 private:
  // Inputs of the copies of two groups; fetching them takes long next to products.
  __device__ __forceinline__ void prepare_two(int group) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      stream_.read_index(group + i, 0, i);
      ratings_[i] = stream_.read_rating(group + i);
    }
  }
  // Starts these copies, to two stages, and those of the indices and ratings of later groups.
  __device__ __forceinline__ void copy_two(int group, int stage) {
#pragma unroll
    for (int i = 0; i < 2; ++i)
#pragma unroll
      for (int part = 0; part < kParts; ++part)
        stream_.copy(stream_.copy_target(stage + i), part, i);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      stream_.store_rating(ratings_[i], group + i, stage + i);
      stream_.fetch(group + i + kAhead, i != 0);
    }
    commit_copies();
  }

  Stream stream_;
  uint32_t operands_;
  int group_ = 0, stage_ = 0;
  uint32_t operand_ = 0;  // to make next; the first one's predecessor is zero
  float ratings_[2];      // of the next copies
};

// As multiply_rows, with the block's ring of a layout for warpgroups. Products are two groups
// behind the copies: while those of two groups run, the next two are transposed.
template <typename Part, int kStages, bool kL1, typename Finish>
__device__ __forceinline__ void multiply_rows_by_warpgroups(const UpdateParams& p, char* ring,
                                                            Finish finish) {
  constexpr MmaLayout kLayout = ring_layout<Part::kRank, Int8>(kStages, true);
  constexpr int kThreads = 32 * Part::kTeam;
  for (int i = threadIdx.x; i < kLayout.ring_bytes() / 16; i += kThreads)
    reinterpret_cast<float4*>(ring)[i] = make_float4(0, 0, 0, 0);
  publish_operands();
  __syncthreads();

  WarpgroupLoop<Part, kStages, kL1> loop(p, held(shared_address(ring)));
  typename Part::Sums sums;
  clear_sums(sums);
#pragma unroll 1
  while (true) {
    if (!loop.step(sums)) continue;
    const auto item = loop.stream().ended(loop.last_group());
    if (item.row < 0) break;
    if (item.slot >= 0) {
      char* slots = static_cast<char*>(p.workspace) + p.plan.pieces.sums_at;
      keep_piece<Part>(sums, loop.stream().member(), reinterpret_cast<float4*>(slots), item.slot);
    } else {
      finish(sums, item.row, item.count);
    }
    clear_sums(sums);
  }
  wait_copies<0>();
}

}  // namespace alsbench
