// SPDX-License-Identifier: Apache-2.0
// A_u and b_u in one pass over the ratings on tensor cores, to FP32's precision: as mma.cuh, with
// factors that are sums of two halves (mma/halves.cuh) and a team of warps a row at every rank.
// Needs list.cuh's kernels and split_factors before it, and sum_pieces and halves_write_cut_rows
// after it, where rows are cut.
#pragma once

#include "kernels/cuda/mma/halves.cuh"
#include "kernels/cuda/mma/sum.cuh"
#include "kernels/cuda/normal_equations/halves_layout.cuh"
#include "kernels/cuda/normal_equations/team_write.cuh"

namespace alsbench {

// Writes rows of sums that are still to be multiplied by the factors' scale.
template <int kRank>
struct HalvesWriter {
  using Part = HalvesPart<kRank>;

  const UpdateParams& p;
  float inverse;  // of the scale

  __device__ __forceinline__ HalvesWriter(const UpdateParams& params)
      : p(params),
        inverse(inverse_power(*reinterpret_cast<const float*>(
            static_cast<const char*>(p.workspace) + p.plan.factors_at + HalvesCopy::kScaleAt))) {}

  __device__ __forceinline__ void write(typename Part::Sums& sums, int row, int count) const {
    // One after the other: the square may be no number.
#pragma unroll
    for (int i = 0; i < Part::kTiles; ++i)
#pragma unroll
      for (int e = 0; e < 4; ++e) sums[i][e] = sums[i][e] * inverse * inverse;
    const TeamWriter<kRank, float, Part> writer{p, Part::member()};
    writer.template write<true>(sums, row, count,
                                inverse_power(p.ratings.half_scale) * inverse_power(inverse));
  }
};

template <int kRank, int kStages, int kWarps, int kBlocks, bool kL1>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) halves_multiply(UpdateParams p) {
  extern __shared__ float4 shared_memory[];
  char* ring = reinterpret_cast<char*>(shared_memory);
  const HalvesWriter<kRank> writer(p);
  UpdateParams split = p;
  split.factors.data = static_cast<char*>(p.workspace) + p.plan.factors_at + HalvesCopy::kRowsAt;
  multiply_rows<HalvesPart<kRank>, SplitHalf, kStages, kL1>(
      split, ring, [&](typename HalvesPart<kRank>::Sums& sums, int row, int count) {
        writer.write(sums, row, count);
      });
}

template <int kRank, int kWarps, int kBlocks>
__global__ void __launch_bounds__(32 * kWarps, kBlocks) halves_write_cut_rows(UpdateParams p) {
  const HalvesWriter<kRank> writer(p);
  finish_cut_rows<HalvesPart<kRank>, kWarps>(p, [&](typename HalvesPart<kRank>::Sums& sums, int row,
                                                    int count) { writer.write(sums, row, count); });
}

}  // namespace alsbench
