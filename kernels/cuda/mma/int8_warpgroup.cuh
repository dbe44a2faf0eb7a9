// SPDX-License-Identifier: Apache-2.0
// A_u and b_u of one row after another by a block of one or two warpgroups (sm_90a), of factors
// that are signed bytes: as int8_team.cuh, but tensor cores read both operands from shared memory
// by themselves. They want ratings in a row, and factors lie in rows of features: each group is
// transposed once, for all warps, while the group before it is multiplied.
#pragma once

#include "kernels/cuda/device/wgmma.cuh"
#include "kernels/cuda/mma/int8_team.cuh"

namespace alsbench {

template <int kRank_>
struct Int8WarpgroupPart : TeamPart<kRank_, true> {
  using Team = TeamPart<kRank_, true>;
  using Sums = int[Team::kTiles][4];
  static constexpr MmaLayout kLayout = ring_layout<kRank_, Int8>(MmaLayout{}.stages, true);
  static constexpr int kPairs = Team::kPairs, kTeam = Team::kTeam;
  static constexpr int kPairBytes = 16 * kLayout.group();  // of an operand: 16 rows
  static constexpr int kMostPairs = 16;                    // of an instruction

  // Starts sums += this warp's tiles of Theta^T Theta of the group whose operand is at an address
  // of shared memory. Where a round has fewer rows than the team has warps, the first of them read
  // what lies before the operand, for tiles that are not used.
  template <int kRound = 0>
  static __device__ __forceinline__ void multiply(Sums& sums, uint32_t operand, int member) {
    if constexpr (kRound < Team::kRounds) {
      constexpr int kLength = Team::kShares.length(kRound);
      constexpr int kFirst = kLength < kMostPairs ? kLength : kMostPairs;
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
};

// The pairs of tiles of a group whose rows this warp transposes: 16 features of 32 ratings each, as
// of Int8Operands. All are read before the first is written, since each read takes long beside
// products. The words are what a lane's place in a block of 8 features by 16 ratings is.
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
    typename Choice<sizeof(Factor) == 1, Int8TeamPart<kRank>, TeamPart<kRank>>::Type>::Type;

// As multiply_rows, with the block's ring of a layout for warpgroups. Products are a group behind
// the copies: while those of one group run, the next group is transposed.
template <typename Part, int kStages, bool kL1, typename Finish>
__device__ __forceinline__ void multiply_rows_by_warpgroups(const UpdateParams& p, char* ring,
                                                            Finish finish) {
  using Stream = Int8Stream<Part, kStages, kL1>;
  constexpr MmaLayout kLayout = ring_layout<Part::kRank, Int8>(kStages, true);
  constexpr int kThreads = 32 * Part::kTeam, kAhead = Stream::kAhead;
  for (int i = threadIdx.x; i < kLayout.ring_bytes() / 16; i += kThreads)
    reinterpret_cast<float4*>(ring)[i] = make_float4(0, 0, 0, 0);
  __syncthreads();

  const uint32_t address = held(shared_address(ring));
  Stream stream(p, address);
  start_stream<Part>(stream);
  typename Part::Sums sums;
  clear_sums(sums);
  // The operand before the first group's is zero.
  uint32_t operand = 0, last_operand = (MmaLayout::kOperands - 1) * kLayout.operand_bytes();
#pragma unroll 1
  for (int group = 0, stage = 0;; ++group, stage = stage + 1 < kStages ? stage + 1 : 0) {
    wait_copies<kAhead - 1>();
    publish_operands();
    __syncthreads();
    const int free = stage > 0 ? stage - 1 : kStages - 1;
#pragma unroll
    for (int part = 0; part < Stream::kParts; ++part) stream.read_index(group + kAhead, part);
    const float rating = stream.read_rating(group + kAhead);
    const Int8Transposition<Part> transposition(stream.stage_address(stage),
                                                static_cast<int>(stream.lane()), stream.member());
    begin_products();
    Part::multiply(sums, address + kLayout.operands_at() + last_operand, stream.member());
    commit_products();

#pragma unroll
    for (int part = 0; part < Stream::kParts; ++part) stream.copy(stream.copy_target(free), part);
    transposition.store(address + kLayout.operands_at() + operand);
    stream.store_rating(rating, group + kAhead, free);
    stream.fetch(group + 2 * kAhead);
    commit_copies();
    last_operand = operand;
    operand = operand + kLayout.operand_bytes() < MmaLayout::kOperands * kLayout.operand_bytes()
                  ? operand + kLayout.operand_bytes()
                  : 0;
    if (!stream.ends_item(1)) {
      wait_products<1>();  // the next operand but one is then free
      continue;
    }
    wait_products<0>();
    const auto item = stream.ended(group - 1);
    if (item.row < 0) break;
    if (item.slot >= 0) {
      char* slots = static_cast<char*>(p.workspace) + p.plan.pieces.sums_at;
      keep_piece<Part>(sums, stream.member(), reinterpret_cast<float4*>(slots), item.slot);
    } else {
      finish(sums, item.row, item.count);
    }
    clear_sums(sums);
  }
  wait_copies<0>();
}

}  // namespace alsbench
