// A_u and b_u in one pass over the ratings on tensor cores: a warp a row of ratings, or a piece of
// a long one; where a warp's registers do not hold the triangle, a block of warps. A persistent
// grid takes rows from a queue. Needs plan_rows before it and mma_sum_pieces after it.
#pragma once

#include "kernels/cuda/normal_equations/mma_write.cuh"
#include "kernels/cuda/normal_equations/team_write.cuh"

namespace alsbench {

// The knobs of the stream, as the kernels of a team pass them on.
template <typename Factor_, int kStages_, bool kL1_, MmaPhase kPhase_>
struct MmaKnobs {
  using Factor = Factor_;
  static constexpr int kStages = kStages_;
  static constexpr bool kL1 = kL1_;
  static constexpr bool kWrites = kPhase_ == MmaPhase::all;
};

// The part of warp kMember of the team, which is the block.
template <int kRank, typename Knobs, typename Output, int kMember = 0>
__device__ __forceinline__ void multiply_as_member(const UpdateParams& p, char* ring,
                                                   float* boxes) {
  using Part = TeamPart<kRank, kMember>;
  if constexpr (kMember + 1 < Part::kTeam)
    if (threadIdx.x / 32 != kMember)
      return multiply_as_member<kRank, Knobs, Output, kMember + 1>(p, ring, boxes);
  multiply_rows<Part, typename Knobs::Factor, Knobs::kStages, Knobs::kL1>(
      p, ring, [&](const typename Part::Sums& sums, int row, int count) {
        const TeamWriter<kRank, kMember, Output> writer{p, boxes + kMember * 16 * kBoxPitch};
        writer.template write<Knobs::kWrites>(sums, row, count);
      });
}

template <int kRank, int kStages, int kWarps, int kBlocks, bool kL1, typename Factor,
          MmaPhase kPhase, typename Output>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) mma_multiply(UpdateParams p) {
  constexpr int kTeam = mma_team(MmaLayout{kRank}).warps;
  constexpr MmaLayout kLayout{
      kRank, kStages, kWarps, mma_strip_bytes(kRank, sizeof(Output), kTeam), kTeam, sizeof(Factor)};
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory);
  if constexpr (kTeam == 1) {
    ring += threadIdx.x / 32 * kLayout.warp_bytes();
    auto* strip = reinterpret_cast<Output*>(ring + kLayout.ring_bytes());
    multiply_rows<WholeTriangle<kRank>, Factor, kStages, kL1>(
        p, ring, [&](const MmaSums<kRank>& sums, int row, int count) {
          const MmaTarget<kRank, Output> target{p, strip};
          target.template write<kPhase == MmaPhase::all>(sums, row, count);
        });
  } else {
    using Knobs = MmaKnobs<Factor, kStages, kL1, kPhase>;
    multiply_as_member<kRank, Knobs, Output>(p, ring,
                                             reinterpret_cast<float*>(ring + kLayout.ring_bytes()));
  }
}

}  // namespace alsbench
