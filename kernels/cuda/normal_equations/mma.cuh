// A_u and b_u in one pass over the ratings on tensor cores: a warp a row of ratings, or a piece of
// a long one. For mma.m16n8k16 the factors of 16 ratings are both operands, read twice from the
// same shared memory; the sums of the lower triangle stay in registers. A persistent grid takes
// rows from a queue; a warp's ring of copies runs on across rows. Needs mma_plan_rows before it and
// mma_sum_pieces after it.
#pragma once

#include "kernels/cuda/normal_equations/mma_knobs.cuh"
#include "kernels/cuda/normal_equations/mma_stream.cuh"
#include "kernels/cuda/normal_equations/mma_write.cuh"

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

// sums += Theta^T Theta of the 16 ratings in a stage. `copy_next` is called after the first
// products: the copies it starts, and its loads of the group after, have the other products to
// arrive.
template <int kRank, typename CopyNext>
__device__ __forceinline__ void multiply_group(float (&sums)[MmaLayout{kRank}.tiles()][4],
                                               const char* stage, CopyNext copy_next) {
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

  uint32_t b[kPairs > 0 ? kPairs : 1][4];
#pragma unroll
  for (int i = 0; i < kPairs; ++i) {
    uint32_t a[4];
    load_transposed(a, as_a + i * 32);
    load_transposed(b[i], as_b + i * 32);
    if (!kLayout.has_rest() && i == kPairs - 1) {
      a[1] |= ratings[0], a[3] |= ratings[1];
      b[i][2] |= ratings[0], b[i][3] |= ratings[1];
    }
#pragma unroll
    for (int j = 0; j <= i; ++j) {
      multiply_add(sums[kLayout.tile(i, 2 * j)], a, b[j][0], b[j][1]);
      multiply_add(sums[kLayout.tile(i, 2 * j + 1)], a, b[j][2], b[j][3]);
    }
    if constexpr (kLayout.has_rest()) multiply_add(sums[kLayout.rest_tile(i)], a, rest[0], rest[1]);
    if (i == 0) copy_next();
  }
  if constexpr (kLayout.has_rest()) {
    const uint32_t a[4] = {rest[0], 0, rest[1], 0};
    multiply_add(sums[kLayout.rest_tile(kPairs)], a, rest[0], rest[1]);
    if (kPairs == 0) copy_next();
  }
}

template <int kRank>
__device__ __forceinline__ void clear_sums(float (&sums)[MmaLayout{kRank}.tiles()][4]) {
#pragma unroll
  for (int i = 0; i < MmaLayout{kRank}.tiles(); ++i)
#pragma unroll
    for (int e = 0; e < 4; ++e) sums[i][e] = 0;
}

// A piece's sums, as the lanes hold them, to its slot.
template <int kRank>
__device__ __forceinline__ void keep_piece(const float (&sums)[MmaLayout{kRank}.tiles()][4],
                                           float4* slots, int slot) {
  constexpr int kTiles = MmaLayout{kRank}.tiles();
  float4* target = slots + int64_t{slot} * (kTiles * 32) + threadIdx.x % 32;
#pragma unroll
  for (int i = 0; i < kTiles; ++i)
    target[i * 32] = make_float4(sums[i][0], sums[i][1], sums[i][2], sums[i][3]);
}

template <int kRank, int kStages, int kWarps, int kBlocks, int kChunk, bool kL1, MmaPhase kPhase,
          typename Output>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) mma_multiply(UpdateParams p) {
  constexpr MmaLayout kLayout{kRank, kStages, kWarps, sizeof(Output)};
  constexpr int kRingBytes = kStages * (kLayout.stage_bytes() + kMmaItemWords * 4);
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory) + threadIdx.x / 32 * kLayout.warp_bytes();
  auto* strip = reinterpret_cast<Output*>(ring + kRingBytes);
  for (int i = threadIdx.x % 32; i < kRingBytes / 16; i += 32)
    reinterpret_cast<float4*>(ring)[i] = make_float4(0, 0, 0, 0);
  __syncwarp();

  using Stream = MmaStream<kRank, kStages, kChunk, kL1>;
  Stream stream(p, ring);
#pragma unroll 1
  for (int stage = 0; stage < kStages - 1; ++stage) {
    for (int i = 0; i < Stream::kCopies; ++i) stream.copy(stage, i);
    stream.finish(stage);
  }
  float sums[kLayout.tiles()][4];
  clear_sums<kRank>(sums);
#pragma unroll 1
  for (int stage = 0;; stage = stage + 1 < kStages ? stage + 1 : 0) {
    wait_copies<kStages - 2>();
    __syncwarp();
    const int ahead = stage > 0 ? stage - 1 : kStages - 1;
    multiply_group<kRank>(sums, ring + stage * kLayout.stage_bytes(), [&] {
#pragma unroll
      for (int i = 0; i < Stream::kCopies; ++i) stream.copy(ahead, i);
      stream.finish(ahead);
    });
    if (!stream.ends_item()) continue;
    const MmaItem& item = stream.item(stage);
    if (item.row < 0) break;
    if (item.slot >= 0) {
      char* slots = static_cast<char*>(p.workspace) + MmaWorkspace{p.ratings.nnz, kChunk}.sums_at();
      keep_piece<kRank>(sums, reinterpret_cast<float4*>(slots), item.slot);
    } else {
      const MmaTarget<kRank, Output> target{p, strip, stream.scale()};
      target.template write<kPhase == MmaPhase::all>(sums, item.row,
                                                     static_cast<int>(item.end - item.begin));
    }
    clear_sums<kRank>(sums);
  }
  wait_copies<0>();
}

}  // namespace alsbench
