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

  // Makes the operand of the group in a stage, the warps each some pairs: 16 features of 32
  // ratings, by the transposition of Int8Operands. Its words are what a lane's place in a block of
  // 8 features by 16 ratings is.
  static __device__ __forceinline__ void transpose(uint32_t stage, uint32_t operand, int lane,
                                                   int member) {
    const uint32_t rows = stage + lane * kLayout.row_bytes();
#pragma unroll
    for (int first = 0; first < kPairs; first += kTeam) {
      const int pair = first + member;
      if (first + kTeam > kPairs && pair >= kPairs) continue;
      uint32_t raw[4];
      load_transposed(raw, rows + pair * 16);
      uint32_t words[4] = {even_bytes(raw[0], raw[1]), even_bytes(raw[2], raw[3]),
                           odd_bytes(raw[0], raw[1]), odd_bytes(raw[2], raw[3])};
      if (first + kTeam >= kPairs && pair == kPairs - 1 && lane >= 24) {  // the ratings' columns
        const uint32_t parts =
            stage + kLayout.ratings_at() + lane / 4 % 2 * kLayout.group() + lane % 4 * 4;
        words[2] |= load_shared(parts);
        words[3] |= load_shared(parts + kLayout.group() / 2);
      }
      const uint32_t target = operand + pair * kPairBytes + 4 * lane;
#pragma unroll
      for (int i = 0; i < 4; ++i) store_shared(target + 128 * i, words[i]);
    }
  }
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
    begin_products();
    Part::multiply(sums, address + kLayout.operands_at() + last_operand, stream.member());
    commit_products();

    const int free = stage > 0 ? stage - 1 : kStages - 1;
#pragma unroll
    for (int part = 0; part < Stream::kParts; ++part) stream.read_index(group + kAhead, part);
    Part::transpose(stream.stage_address(stage), address + kLayout.operands_at() + operand,
                    static_cast<int>(stream.lane()), stream.member());
#pragma unroll
    for (int part = 0; part < Stream::kParts; ++part) stream.copy(stream.copy_target(free), part);
    stream.store_ratings(group + kAhead, free);
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
