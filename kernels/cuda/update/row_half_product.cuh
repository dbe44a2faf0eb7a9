// SPDX-License-Identifier: Apache-2.0
// The products A_u p of conjugate gradients by warpgroups: as team_half_product.cuh, but every warp
// has whole rows of A_u, which the warps hand each other through shared memory once. A product then
// stays in the lanes that own its elements.
#pragma once

#include "kernels/cuda/device/wgmma.cuh"
#include "kernels/cuda/update/team_half_product.cuh"

namespace alsbench {

// The rows of blocks that a warp multiplies: every n-th.
template <typename Part>
struct RowAssignment {
  static constexpr int kRows = Part::kLayout.vectors();  // blocks of 16
  static constexpr int kRounds = (kRows + Part::kTeam - 1) / Part::kTeam;
  static __device__ __forceinline__ int row(int round, int member) {
    return round * Part::kTeam + member;
  }
};

// The elements of a vector that a thread owns: one of two rounds, as the sums of its rows lie.
template <typename Part>
struct RowOwned {
  using Assignment = RowAssignment<Part>;
  static constexpr int kCount = (Assignment::kRounds + 1) / 2;
  int member, lane;

  __device__ __forceinline__ explicit RowOwned(int member_) : member(member_), lane(fresh_lane()) {}

  template <typename Visit>
  __device__ __forceinline__ void for_each(Visit&& visit) const {
#pragma unroll
    for (int q = 0; q < kCount; ++q) {
      const int round = 2 * q + lane % 4 / 2;
      const int e = 16 * Assignment::row(round, member) + lane % 2 * 8 + lane / 4;
      if (e < Part::kRank) visit(q, e);
    }
  }
};

template <typename Part, typename Sums>
class RowHalfProduct : public TeamHalfVector<Part, BytesOf<Sums>> {
  static_assert(kIsScaled<Sums>, "warpgroups multiply bytes");
  using Vector = TeamHalfVector<Part, BytesOf<Sums>>;
  using Vector::lane_;
  using Vector::member_;
  using Vector::shared_;
  using Assignment = RowAssignment<Part>;
  static constexpr int kRows = Assignment::kRows, kRounds = Assignment::kRounds;

 public:
  using Owned = RowOwned<Part>;
  static constexpr bool kByRows = true;
  static constexpr bool kMeasures = false;
  static __device__ __forceinline__ float largest(const Sums&, int) { return 0; }

  // Leaves this warp's tiles in shared memory. Integer sums may change.
  __device__ __forceinline__ RowHalfProduct(const Sums& row_sums, TeamVectors<Part>& shared,
                                            int member, float, int count)
      : Vector(shared, scales_of(row_sums), member) {
    constexpr MmaTeam kShares = Part::kShares;
    auto& sums = tiles_of(row_sums);
    const float scale = this->scale_matrix(sums, 0, count);
    Part::for_rounds(member, [&](int k, int row) {
#pragma unroll
      for (int j = 0; j < kShares.length(k); ++j) {
        if (j > row || row >= kRows) continue;
        const auto* tiles = sums + kShares.first_tile(k) + 2 * j;
        uint32_t words[4];
#pragma unroll
        for (int part = 0; part < 4; ++part)
          words[part] = Vector::packed(tiles[part / 2], part % 2, scale, true);
        store_blocks(words, block(row, j) + 16 * lane_);
      }
    });
  }
  // Takes this warp's rows, after a barrier: right of the diagonal those of columns, transposed.
  __device__ __forceinline__ void load() {
    const uint32_t swapped = (lane_ % 8 + lane_ / 8 % 2 * 16 + lane_ / 16 * 8) * 16;
#pragma unroll
    for (int k = 0; k < kRounds; ++k) {
      const int dealt = Assignment::row(k, member_), row = dealt < kRows ? dealt : kRows - 1;
#pragma unroll
      for (int j = 0; j < kRows; ++j) {
        if (j <= row)
          load_blocks(blocks_[k][j], block(row, j) + 16 * lane_);
        else
          load_transposed(blocks_[k][j], block(j, row) + swapped);
      }
    }
  }

  // The sums stay with this thread.
  __device__ __forceinline__ void multiply() {
    const uint4* source = this->words();
    float sums[2][kRounds][4] =
        {};  // two of a row, since products that follow each other take long
    uint4 words[2];
#pragma unroll
    for (int j = 0; j < kRows; ++j) {
      if (j % 4 == 0) Vector::load(words, source, j / 4);
      const uint4& four = words[j % 4 / 2];
#pragma unroll
      for (int k = 0; k < kRounds; ++k)
        multiply_add<Half>(sums[j % 2][k], blocks_[k][j], j % 2 == 0 ? four.x : four.z,
                           j % 2 == 0 ? four.y : four.w);
    }
    const bool second = lane_ % 2 != 0;
#pragma unroll
    for (int k = 0; k < kRounds; ++k) {
      const float(&a)[4] = sums[0][k];
      const float(&b)[4] = sums[1][k];
      const float sum = second ? (a[2] + b[2]) + (a[3] + b[3]) : (a[0] + b[0]) + (a[1] + b[1]);
      results_[k / 2] = k % 2 == 0 || lane_ % 4 >= 2 ? sum : results_[k / 2];
    }
  }
  __device__ __forceinline__ float result(int q, int e) const {
    return this->scaled(results_[q], e);
  }

 private:
  // Of the block of A_u in that row and column, not right of the diagonal.
  __device__ __forceinline__ uint32_t block(int row, int column) const {
    return shared_address(shared_.blocks[row * (row + 1) / 2 + column]);
  }

  uint32_t blocks_[kRounds][kRows][4];
  float results_[(kRounds + 1) / 2];
};

}  // namespace alsbench
