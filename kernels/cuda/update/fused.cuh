// A whole half-iteration in one kernel: a warp sums A_u and b_u of a row on tensor cores and solves
// by CG from the registers that hold the sums; A_u never reaches memory. Where a warp's registers
// do not hold the triangle, a block of warps does so. Beyond normal_equations/mma: the solver in
// place of the write, and of the solver's read. A persistent grid takes rows from a queue. Needs
// plan_rows before it and fused_update_pieces after it.
#pragma once

#include "kernels/cuda/mma/multiply.cuh"
#include "kernels/cuda/update/team_cg.cuh"

namespace alsbench {

// The knobs of the stream and of the solver, as the kernels of a team pass them on.
template <typename Factor_, int kStages_, bool kL1_, bool kTolerance_, bool kWarm_>
struct FusedKnobs {
  using Factor = Factor_;
  static constexpr int kStages = kStages_;
  static constexpr bool kL1 = kL1_, kTolerance = kTolerance_, kWarm = kWarm_;
};

// The part of warp kMember of the team, which is the block. A function of its own: inlined, the
// sums of four members and more end in local memory.
template <int kRank, typename Knobs, int kMember>
__device__ __noinline__ void update_as(const UpdateParams& p, char* ring,
                                       TeamVectors<kRank>& shared) {
  using Part = TeamPart<kRank, kMember>;
  multiply_rows<Part, typename Knobs::Factor, Knobs::kStages, Knobs::kL1>(
      p, ring, [&](const typename Part::Sums& sums, int row, int count) {
        update_row_as_member<kRank, kMember, typename Knobs::Factor, Knobs::kTolerance,
                             Knobs::kWarm>(p, sums, row, count, shared);
      });
}
template <int kRank, typename Knobs, int kMember = 0>
__device__ __forceinline__ void update_as_member(const UpdateParams& p, char* ring,
                                                 TeamVectors<kRank>& shared) {
  if constexpr (kMember + 1 < TeamPart<kRank, kMember>::kTeam)
    if (threadIdx.x / 32 != kMember)
      return update_as_member<kRank, Knobs, kMember + 1>(p, ring, shared);
  update_as<kRank, Knobs, kMember>(p, ring, shared);
}

template <int kRank, int kStages, int kWarps, int kBlocks, bool kL1, typename Factor,
          bool kTolerance, bool kWarm, typename Element>
__global__ void __launch_bounds__(32 * kWarps, kBlocks)
    fused_update(const __grid_constant__ UpdateParams p) {
  constexpr int kTeam = mma_team(MmaLayout{kRank}).warps;
  constexpr MmaLayout kLayout{kRank, kStages,       kWarps, MmaLayout{kRank}.vectors_bytes(kTeam),
                              kTeam, sizeof(Factor)};
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory);
  if constexpr (kTeam == 1) {
    ring += threadIdx.x / 32 * kLayout.warp_bytes();
    auto* vectors = reinterpret_cast<float*>(ring + kLayout.ring_bytes());
    multiply_rows<WholeTriangle<kRank>, Factor, kStages, kL1>(
        p, ring, [&](const MmaSums<kRank>& sums, int row, int count) {
          update_row<kRank, Factor, Element, kTolerance, kWarm>(p, sums, row, count, vectors);
        });
  } else {
    static_assert(sizeof(Element) == 4, "teams keep A_u as it was summed");
    using Knobs = FusedKnobs<Factor, kStages, kL1, kTolerance, kWarm>;
    auto* shared = reinterpret_cast<TeamVectors<kRank>*>(ring + kLayout.ring_bytes());
    // Functions that are called do not see the kernel's arguments where these are.
    alignas(UpdateParams) __shared__ char words[sizeof(UpdateParams)];
    auto* params = reinterpret_cast<UpdateParams*>(words);
    if (threadIdx.x == 0) *params = p;
    __syncthreads();
    update_as_member<kRank, Knobs>(*params, ring, *shared);
  }
}

}  // namespace alsbench
