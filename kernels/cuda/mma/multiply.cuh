// A_u and b_u of one row after another in the registers of a warp: for mma.m16n8k16 the factors of
// 16 ratings are both operands, read twice from the same shared memory; the sums of the lower
// triangle stay in registers. Used by the kernels that write the sums out (normal_equations) or
// solve with them (update). Needs mma_plan_rows before it.
#pragma once

#include "kernels/cuda/mma/stream.cuh"

namespace alsbench {

// The ratings of a group as the block of a fragment that holds the last 8 columns has them: a pair
// of ratings' upper halves in the 7th column, of their lower ones in the 8th, for the first 8
// ratings and the others.
__device__ __forceinline__ void load_ratings(uint32_t (&pairs)[2], const char* ratings) {
  const int lane = threadIdx.x % 32;
  pairs[0] = pairs[1] = 0;
  if (lane < 24) return;
  const auto* words = reinterpret_cast<const uint32_t*>(ratings) + (lane - 24) / 4 * 8 + lane % 4;
  pairs[0] = words[0];
  pairs[1] = words[4];
}

// Slots between the products of a group, for what overlaps with them.
template <int kRank>
constexpr int kSlots = MmaLayout{kRank}.pairs() > 1 ? MmaLayout{kRank}.pairs() - 1 : 1;

// sums += Theta^T Theta of the 16 ratings in a stage. `between(i)` is called in each slot i.
template <int kRank, typename Between>
__device__ __forceinline__ void multiply_group(MmaSums<kRank>& sums, const char* stage,
                                               Between between) {
  constexpr MmaLayout kLayout{kRank};
  constexpr int kPairs = kLayout.pairs(), kRowBytes = kLayout.row_bytes();
  const int lane = threadIdx.x % 32;
  // Blocks of 8 ratings x 8 factors. Order as A: (ratings, factors) = (low, low), (low, high),
  // (high, low), (high, high); as B: (low, low), (high, low), (low, high), (high, high).
  const uint32_t rows = shared_address(stage);
  const uint32_t as_a = rows + (lane % 8 + lane / 16 * 8) * kRowBytes + lane / 8 % 2 * 16;
  const uint32_t as_b = rows + lane % 16 * kRowBytes + lane / 16 * 16;
  uint32_t ratings[2], rest[2] = {};
  load_ratings(ratings, stage + kLayout.ratings_at());
  if constexpr (kLayout.has_rest()) {
    load_transposed(rest, rows + lane % 16 * kRowBytes + kPairs * 32);
    rest[0] |= ratings[0], rest[1] |= ratings[1];
  }

  constexpr int kFragments = kPairs > 0 ? kPairs : 1;
  uint32_t a[2][4], b[kFragments][4];
  if constexpr (kPairs > 0) {
    load_transposed(a[0], as_a);
    load_transposed(b[0], as_b);
  }
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    if (i + 1 < kPairs) {  // while the products of i run
      load_transposed(a[(i + 1) % 2], as_a + (i + 1) * 32);
      load_transposed(b[i + 1], as_b + (i + 1) * 32);
    }
    uint32_t(&own)[4] = a[i % 2];
    if (!kLayout.has_rest() && i == kPairs - 1) {
      own[1] |= ratings[0], own[3] |= ratings[1];
      b[i][2] |= ratings[0], b[i][3] |= ratings[1];
    }
#pragma unroll
    for (int j = 0; j <= i; ++j) {
      multiply_add(sums[kLayout.tile(i, 2 * j)], own, b[j][0], b[j][1]);
      multiply_add(sums[kLayout.tile(i, 2 * j + 1)], own, b[j][2], b[j][3]);
    }
    if constexpr (kLayout.has_rest())
      multiply_add(sums[kLayout.rest_tile(i)], own, rest[0], rest[1]);
    if (i < kSlots<kRank>) between(i);
  }
  if constexpr (kLayout.has_rest()) {
    const uint32_t corner[4] = {rest[0], 0, rest[1], 0};
    multiply_add(sums[kLayout.rest_tile(kPairs)], corner, rest[0], rest[1]);
    if (kPairs == 0) between(0);
  }
}

// All tiles of a row in one warp.
template <int kRank_>
struct WholeTriangle {
  static constexpr int kRank = kRank_, kTeam = 1, kMember = 0;
  static constexpr int kTiles = MmaLayout{kRank}.tiles(), kSlots = alsbench::kSlots<kRank>;
  using Sums = MmaSums<kRank>;

  template <typename Between>
  static __device__ __forceinline__ void multiply(Sums& sums, const char* stage, Between between) {
    multiply_group<kRank>(sums, stage, between);
  }
};

template <int kTiles>
__device__ __forceinline__ void clear_sums(float (&sums)[kTiles][4]) {
#pragma unroll
  for (int i = 0; i < kTiles; ++i)
#pragma unroll
    for (int e = 0; e < 4; ++e) sums[i][e] = 0;
}

// A piece's sums, as the lanes hold them, to its slot: those of one warp of a team after another.
template <typename Part>
__device__ __forceinline__ void keep_piece(const typename Part::Sums& sums, float4* slots,
                                           int slot) {
  float4* target = slots + (int64_t{slot} * Part::kTeam + Part::kMember) * (Part::kTiles * 32) +
                   threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < Part::kTiles; ++i)
    target[i * 32] = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}

template <int kTeam>
__device__ __forceinline__ void sync_team() {
  if constexpr (kTeam == 1)
    __syncwarp();
  else
    __syncthreads();
}

// Works through the items of the batch: `finish(sums, row, count, scale)` takes each whole row of
// the batch with its number of ratings and the scale of the ratings among the sums; pieces of long
// rows go to their slots. `Part` says which tiles are this warp's; `ring` is the warp's, or the
// block's where it is a team, of `MmaLayout::ring_bytes()`. The ring of copies runs on across rows.
template <typename Part, int kStages, int kChunk, bool kL1, bool kPacked, bool kOrdered,
          typename Finish>
__device__ __forceinline__ void multiply_rows(const UpdateParams& p, char* ring, Finish finish) {
  constexpr MmaLayout kLayout{Part::kRank, kStages};
  constexpr int kThreads = 32 * Part::kTeam;
  for (int i = threadIdx.x % kThreads; i < kLayout.ring_bytes() / 16; i += kThreads)
    reinterpret_cast<float4*>(ring)[i] = make_float4(0, 0, 0, 0);
  sync_team<Part::kTeam>();

  using Stream = MmaStream<Part::kRank, kStages, kChunk, kL1, kPacked, kOrdered, Part::kTeam>;
  Stream stream(p, ring);
#pragma unroll 1
  for (int stage = 0; stage < kStages - 1; ++stage) {
    stream.advance(stage);
    stream.copy(stage, 0, Stream::kCopies);
    stream.finish(stage);
  }
  typename Part::Sums sums;
  clear_sums(sums);
#pragma unroll 1
  for (int stage = 0;; stage = stage + 1 < kStages ? stage + 1 : 0) {
    wait_copies<kStages - 2>();
    sync_team<Part::kTeam>();
    const int ahead = stage > 0 ? stage - 1 : kStages - 1;
    Part::multiply(sums, ring + stage * kLayout.stage_bytes(), [&](int slot) {
      constexpr int kEnd = Part::kSlots;
      if (slot == 0) stream.advance(ahead);
      stream.copy(ahead, slot * Stream::kCopies / kEnd, (slot + 1) * Stream::kCopies / kEnd);
      if (slot == kEnd - 1) stream.finish(ahead);
    });
    if (!stream.ends_item()) continue;
    const RowItem& item = stream.item(stage);
    if (item.row < 0) break;
    if (item.slot >= 0) {
      char* slots =
          static_cast<char*>(p.workspace) + PieceWorkspace{p.ratings.nnz, kChunk}.sums_at();
      keep_piece<Part>(sums, reinterpret_cast<float4*>(slots), item.slot);
    } else {
      finish(sums, item.row, static_cast<int>(item.end - item.begin), stream.scale());
    }
    clear_sums(sums);
  }
  wait_copies<0>();
}

}  // namespace alsbench
