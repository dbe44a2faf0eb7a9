// SPDX-License-Identifier: Apache-2.0
// A_u and b_u of one row after another in the registers of a warp: the factors of 16 ratings are
// both operands, read twice from the same shared memory; the sums of the lower triangle stay in
// registers. Needs plan_rows before it.
#pragma once

#include "kernels/cuda/device/choice.cuh"
#include "kernels/cuda/mma/byte_stream.cuh"
#include "kernels/cuda/mma/byte_sums.cuh"
#include "kernels/cuda/mma/operands.cuh"
#include "kernels/cuda/mma/stream.cuh"

namespace alsbench {

// Slots between the products of a group, for what overlaps with them.
template <int kRank>
constexpr int kSlots = MmaLayout{kRank}.pairs() > 1 ? MmaLayout{kRank}.pairs() : 1;

// sums += Theta^T Theta of the 16 ratings in the stage at an address of shared memory. `between(i)`
// is called in each slot i.
template <int kRank, typename Factor, typename Between>
__device__ __forceinline__ void multiply_group(MmaSums<kRank>& sums, uint32_t stage, int lane,
                                               Between between) {
  constexpr MmaLayout kLayout{kRank};
  constexpr int kPairs = kLayout.pairs(), kFragments = kPairs > 0 ? kPairs : 1;
  using Element = typename MmaFactor<Factor>::Element;
#pragma unroll
  for (int step = 0; step < kMmaSteps<Factor>; ++step) {
    const MmaOperands<kRank, Factor> operands(stage, lane, step);
    uint32_t a[2][4], b[kFragments][4];
    if constexpr (kPairs > 0) {
      operands.load_a(a[0], 0);
      operands.load_b(b[0], 0);
    }
#pragma unroll
    for (int i = 0; i < kPairs; ++i) {
      if (i + 1 < kPairs) {  // while the products of i run
        operands.load_a(a[(i + 1) % 2], i + 1);
        operands.load_b(b[i + 1], i + 1);
      }
      uint32_t(&own)[4] = a[i % 2];
      if (!kLayout.has_rest() && i == kPairs - 1) {
        operands.put_ratings_in_a(own);
        operands.put_ratings_in_b(b[i]);
      }
#pragma unroll
      for (int j = 0; j <= i; ++j) {
        multiply_add<Element>(sums[kLayout.tile(i, 2 * j)], own, b[j][0], b[j][1]);
        multiply_add<Element>(sums[kLayout.tile(i, 2 * j + 1)], own, b[j][2], b[j][3]);
      }
      if constexpr (kLayout.has_rest())
        multiply_add<Element>(sums[kLayout.rest_tile(i)], own, operands.rest()[0],
                              operands.rest()[1]);
      if (step == 0 && i + 1 < kSlots<kRank>) between(i);
    }
    if constexpr (kLayout.rest_has_features()) {
      const uint32_t corner[4] = {operands.rest()[0], 0, operands.rest()[1], 0};
      multiply_add<Element>(sums[kLayout.rest_tile(kPairs)], corner, operands.rest()[0],
                            operands.rest()[1]);
    }
  }
  between(kSlots<kRank> - 1);
}

// All tiles of a row in one warp.
template <int kRank_>
struct WholeTriangle {
  static constexpr int kRank = kRank_, kTeam = 1;
  static constexpr bool kWarpgroups = false;
  static constexpr int kTiles = MmaLayout{kRank}.tiles(), kSlots = alsbench::kSlots<kRank>;
  static constexpr int kCopySlots = kSlots > 2 ? kSlots - 2 : 1, kFetchSlot = kSlots - 1;
  using Sums = MmaSums<kRank>;
  static __device__ __forceinline__ constexpr int member() { return 0; }

  template <typename Factor, typename Between>
  static __device__ __forceinline__ void multiply(Sums& sums, uint32_t stage, int lane, int,
                                                  Between between) {
    multiply_group<kRank, Factor>(sums, stage, lane, between);
  }
};

// Copies the ratings' factors of that type.
template <typename Part, typename Factor, int kStages, bool kL1>
struct StreamFor {
  using Type = typename Choice<sizeof(Factor) == 1, ByteStream<Part, Factor, kStages, kL1>,
                               MmaStream<Part, Factor, kStages, kL1>>::Type;
};
template <typename Part, typename Factor, int kStages, bool kL1>
using StreamOf = typename StreamFor<Part, Factor, kStages, kL1>::Type;

template <int kTiles>
__device__ __forceinline__ void clear_sums(float (&sums)[kTiles][4]) {
#pragma unroll
  for (int i = 0; i < kTiles; ++i)
#pragma unroll
    for (int e = 0; e < 4; ++e) sums[i][e] = 0;
}

__device__ __forceinline__ float4 kept_tile(const float (&tile)[4]) {
  return make_float4(tile[0], tile[1], tile[2], tile[3]);
}
__device__ __forceinline__ float4 kept_tile(const int (&tile)[4]) {
  return make_float4(__int_as_float(tile[0]), __int_as_float(tile[1]), __int_as_float(tile[2]),
                     __int_as_float(tile[3]));
}

// A piece's sums, as the lanes hold them, to its slot: those of one warp of a team after another.
template <typename Part>
__device__ __forceinline__ void keep_piece(const typename Part::Sums& sums, int member,
                                           float4* slots, int slot) {
  float4* target =
      slots + (int64_t{slot} * Part::kTeam + member) * (Part::kTiles * 32) + threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < Part::kTiles; ++i) target[i * 32] = kept_tile(sums[i]);
}

template <int kTeam>
__device__ __forceinline__ void sync_team() {
  if constexpr (kTeam == 1)
    __syncwarp();
  else
    __syncthreads();
}

// Begins the copies of the first groups.
template <typename Part, typename Stream>
__device__ __forceinline__ void start_stream(Stream& stream) {
  constexpr int kAhead = Stream::kAhead;
#pragma unroll 1
  for (int group = 0; group < kAhead; ++group) stream.fetch(group);
  commit_copies();
  wait_copies<0>();
  sync_team<Part::kTeam>();
#pragma unroll 1
  for (int group = 0; group < kAhead; ++group) {
#pragma unroll
    for (int part = 0; part < Stream::kParts; ++part) {
      stream.read_index(group, part);
      stream.copy(stream.copy_target(group), part);
    }
    stream.store_ratings(group, group);
    stream.fetch(group + kAhead);
    commit_copies();
  }
}

// The stage of a group's copies in the ring: as counted, or where that would hold a register more,
// again.
template <int kStages>
__device__ __forceinline__ int stage_of(int group, int counted) {
  constexpr bool kPowerOfTwo = (kStages & (kStages - 1)) == 0;
  if constexpr (kPowerOfTwo && !kHoldsMore) return group & (kStages - 1);
  return counted;
}

// sums += those of a group, which lies in stage `stage` of the ring, and in its slots the copies of
// later groups: in Part::kCopySlots slots after the first one, if there are more, and their indices
// read a slot ahead. `waits`: not for the second group of a pair.
template <typename Part, typename Factor, int kStages, typename Stream>
__device__ __forceinline__ void multiply_and_copy(Stream& stream, typename Part::Sums& sums,
                                                  int group, int stage, bool waits) {
  constexpr int kAhead = Stream::kAhead, kFirst = Part::kSlots > 2 ? 1 : 0;
  constexpr int kCopySlots = Part::kCopySlots, kFreed = kStages - kAhead;
  if (!Stream::kPaired || waits) {
    wait_copies<kAhead - kFreed>();
    sync_team<Part::kTeam>();
  }
  const int free = stage >= kFreed ? stage - kFreed : stage + kStages - kFreed;
  const uint32_t target = unknown_where_held(stream.copy_target(free));
  const auto read_indices = [&](int slot) {
#pragma unroll
    for (int part = 0; part < Stream::kParts; ++part)
      if (kFirst + part * kCopySlots / Stream::kParts == slot)
        stream.read_index(group + kAhead, part);
  };
  if (kFirst == 0) read_indices(0);
  const auto between = [&](int slot) {
#pragma unroll
    for (int part = 0; part < Stream::kParts; ++part)
      if (kFirst + part * kCopySlots / Stream::kParts == slot) stream.copy(target, part);
    read_indices(slot + 1);
    if (slot != Part::kFetchSlot) return;
    stream.store_ratings(group + kAhead, free);
    stream.fetch(group + 2 * kAhead);
    commit_copies();
  };
  Part::template multiply<Factor>(sums, stream.stage_address(stage), stream.lane(), stream.member(),
                                  between);
}

// Works through the items of the batch: `finish(sums, row, count)` takes each whole row of the
// batch with its number of ratings, and may change the sums; pieces of long rows go to their slots.
// `Part` says which tiles are this warp's; `ring` is the warp's, or the block's where it is a team,
// of `MmaLayout::ring_bytes()`. The ring of copies runs on across rows.
template <typename Part, typename Factor, int kStages, bool kL1, typename Params, typename Finish>
__device__ __forceinline__ void multiply_rows(const Params& params, char* ring, Finish finish) {
  const UpdateParams& p = update_of(params);
  constexpr MmaLayout kLayout = ring_layout<Part::kRank, Factor>(kStages);
  constexpr int kThreads = 32 * Part::kTeam;
  for (int i = threadIdx.x % kThreads; i < kLayout.ring_bytes() / 16; i += kThreads)
    reinterpret_cast<float4*>(ring)[i] = make_float4(0, 0, 0, 0);
  sync_team<Part::kTeam>();

  StreamOf<Part, Factor, kStages, kL1> stream(params, held(shared_address(ring)));
  start_stream<Part>(stream);
  typename Part::Sums sums;
  const auto end_item = [&](int group) {
    const auto item = stream.ended(group);
    if (item.row < 0) return false;
    if (item.slot >= 0) {
      char* slots = static_cast<char*>(p.workspace) + p.plan.pieces.sums_at;
      keep_piece<Part>(sums, stream.member(), reinterpret_cast<float4*>(slots), item.slot);
    } else {
      finish(sums, item.row, item.count);
    }
    return true;
  };
#if __CUDA_ARCH__ >= 1000
  // A loop of their own for the groups of an item: in the loop below ptxas keeps a second copy of
  // the sums here, 700 bytes of local memory.
  int group = 0, stage = 0;
  do {
    clear_sums(sums);
    bool more = true, waits = true;
#pragma unroll 1
    while (more) {
      multiply_and_copy<Part, Factor, kStages>(stream, sums, group, stage_of<kStages>(group, stage),
                                               waits);
      more = !stream.ends_item();
      waits = !waits;
      ++group, stage = stage + 1 < kStages ? stage + 1 : 0;
    }
  } while (end_item(group - 1));
#else
  clear_sums(sums);
  bool waits = true;
#pragma unroll 1
  for (int group = 0, stage = 0;; ++group, stage = stage + 1 < kStages ? stage + 1 : 0) {
    multiply_and_copy<Part, Factor, kStages>(stream, sums, group, stage_of<kStages>(group, stage),
                                             waits);
    waits = !waits;
    if (!stream.ends_item()) continue;
    if (!end_item(group)) break;
    clear_sums(sums);
    waits = true;
  }
#endif
  wait_copies<0>();
}

}  // namespace alsbench
