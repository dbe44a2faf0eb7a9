// SPDX-License-Identifier: Apache-2.0
// The products A_u p of conjugate gradients by a team of warps on tensor cores: every warp has its
// rows of tiles as halves, and the same mirrored. p goes in as the sum of two halves, so only A_u
// is rounded. As half_product.cuh, with results that pass through shared memory.
#pragma once

#include "kernels/cuda/device/mma.cuh"
#include "kernels/cuda/update/half_product.cuh"
#include "kernels/cuda/update/team_product.cuh"

namespace alsbench {

// The vectors that a team multiplies A_u by, as sums of two halves in shared memory. Sums of bytes
// are multiplied by no scales; the vectors are. `Byte`: void where there are none.
template <typename Part, typename Byte>
class TeamHalfVector {
  static constexpr bool kScaled = kHasScales<Byte>;
  static constexpr int kBlocks = Part::kLayout.columns() / 8;

 public:
  // Element e of the vector to multiply by; `largest` is that of all or more.
  __device__ __forceinline__ void put(int e, float value, float largest) {
    auto* target = reinterpret_cast<uint16_t*>(shared_.vector) + place(e);
    if constexpr (kScaled) value *= scales_[e];
    const float scaled = value * power_of_two_for(largest);
    const uint16_t upper = float_to_half(scaled);
    target[0] = upper;
    target[32] = float_to_half(scaled - half_to_float(upper));
  }
  // Before the products with such a vector.
  __device__ __forceinline__ void begin(float largest) {
    inverse_ = inverse_matrix_ * inverse_power(power_of_two_for(largest));
  }

 protected:
  __device__ __forceinline__ TeamHalfVector(TeamVectors<Part>& shared, const float* scales,
                                            int member)
      : shared_(shared), scales_(scales), member_(member), lane_(fresh_lane()) {}

  // Sets the scale of the matrix, a power of two, and returns it; `largest`: of the team, or of
  // integers any, which `count` ratings bound. Those may change.
  template <typename Tiles>
  __device__ __forceinline__ float scale_matrix(Tiles& sums, float largest, int count) {
    float unit = 1;
    if constexpr (kScaled) {
      constexpr int kSquare = Byte::kLargest * Byte::kLargest;
      int maximum = count < 0x7fffffff / kSquare ? count * kSquare : 0x7fffffff;
      unit = fit_biased(sums, maximum);
      largest = static_cast<float>(count) * static_cast<float>(kSquare) / unit;
    }
    const float scale = power_of_two_for(largest);
    inverse_matrix_ = inverse_power(scale) * unit;
    return scale;
  }
  // An element of the product.
  __device__ __forceinline__ float scaled(float sum, int e) const {
    return kScaled ? sum * inverse_ * scales_[e] : sum * inverse_;
  }

  // This lane's words of the vector: those of four blocks of 8 elements are neighbours.
  __device__ __forceinline__ const uint4* words() const {
    return reinterpret_cast<const uint4*>(shared_.vector) + lane_ % 8;
  }
  // The vector's elements of four pairs of blocks.
  static __device__ __forceinline__ void load(uint4 (&words)[2], const uint4* source, int part) {
    words[0] = source[16 * part];
    if (16 * part + 8 < kBlocks * 2) words[1] = source[16 * part + 8];
  }

  // Half 0 or 1 of a tile, its first or second 8 rows, as halves; zeros where it is not wanted.
  template <typename Word>
  static __device__ __forceinline__ uint32_t packed(const Word (&tile)[4], int half, float scale,
                                                    bool wanted) {
    const uint32_t word =
        pack_halves(scaled_value(tile[2 * half], scale), scaled_value(tile[2 * half + 1], scale));
    return wanted ? word : 0;
  }

  TeamVectors<Part>& shared_;
  const float* scales_;
  int member_, lane_;

 private:
  // Where the vector's element e lies, in halves; what the first half misses lies 32 further. A
  // word is a pair of elements, and a lane's words of four blocks of 8 elements are neighbours.
  static __device__ __forceinline__ int place(int e) {
    return e / 32 * 64 + e % 8 / 2 * 8 + e % 32 / 8 * 2 + e % 2;
  }

  float inverse_matrix_ = 1, inverse_ = 1;
};

// As of HalfProduct, sums of integers are multiplied by no scales; the vectors are.
template <typename Part, typename Sums>
class TeamHalfProduct : public TeamHalfVector<Part, BytesOf<Sums>> {
  static constexpr bool kScaled = kIsScaled<Sums>;
  using Vector = TeamHalfVector<Part, BytesOf<Sums>>;
  using Vector::lane_;
  using Vector::load;
  using Vector::member_;
  using Vector::packed;
  using Vector::shared_;
  static constexpr MmaLayout kLayout = Part::kLayout;
  static constexpr MmaTeam kShares = Part::kShares;
  static constexpr int kPairs = kLayout.pairs(), kRounds = Part::kRounds;
  static constexpr int kBlocks = kLayout.columns() / 8;

 public:
  using Owned = TeamOwned<Part>;
  static constexpr bool kByRows = false;
  // The largest element on this warp's part of A_u's diagonal, to be made that of the team. Bytes
  // need none: the number of ratings bounds their sums.
  static constexpr bool kMeasures = !kScaled;
  static __device__ __forceinline__ float largest(const Sums& row_sums, int member) {
    if constexpr (kScaled) return 0;
    const auto& sums = tiles_of(row_sums);
    const int lane = fresh_lane();
    float largest = 0;
    const auto add = [&](bool wanted, float a, float b, int block) {
      const bool of_ratings = block == kBlocks - 1 && (lane % 4 == 3 || lane / 4 >= 6);
      largest = fmaxf(largest, wanted && !of_ratings ? fmaxf(fabsf(a), fabsf(b)) : 0.0f);
    };
    Part::for_rounds(member, [&](int k, int row) {
#pragma unroll
      for (int j = 0; j < kShares.length(k); ++j) {
        if (j < kShares.row(k, Part::kTeam - 1)) continue;
        const auto* tiles = sums + kShares.first_tile(k) + 2 * j;
        add(j == row, tiles[0][0], tiles[0][1], 2 * j);
        add(j == row, tiles[1][2], tiles[1][3], 2 * j + 1);
      }
    });
    if constexpr (kLayout.rest_has_features()) {
      const auto& corner = sums[kShares.corner()];
      add(member == Part::kCornerOwner, corner[0], corner[1], kBlocks - 1);
    }
    return largest;
  }

  // `largest`: that of the team; `count`: the row's ratings. Integer sums may change.
  __device__ __forceinline__ TeamHalfProduct(const Sums& row_sums, TeamVectors<Part>& shared,
                                             int member, float largest, int count)
      : Vector(shared, scales_of(row_sums), member) {
    auto& sums = tiles_of(row_sums);
    const float scale = this->scale_matrix(sums, largest, count);
    Part::for_rounds(member, [&](int k, int row) {
#pragma unroll
      for (int j = 0; j < kShares.length(k); ++j) {
        const auto* tiles = sums + kShares.first_tile(k) + 2 * j;
        const bool sure = j < kShares.row(k, Part::kTeam - 1);  // left of the diagonal
#pragma unroll
        for (int part = 0; part < 4; ++part) {
          // The ratings' rows are the last ones, their columns too, where none are left over.
          const bool last_row = k == 0 && part % 2 == 1 && row == kPairs - 1;
          const bool last_column = j == kPairs - 1 && part / 2 == 1;
          const bool wanted = (sure || j <= row) &&
                              (kLayout.has_rest() ||
                               !((last_row && lane_ / 4 >= 6) || (last_column && lane_ % 4 == 3)));
          blocks_[k][j][part] = packed(tiles[part / 2], part % 2, scale, wanted);
        }
        if (j + 1 < kShares.length(k))
#pragma unroll
          for (int part = 0; part < 4; ++part) {
            const uint32_t word = transposed(blocks_[k][j][part % 2 * 2 + part / 2]);
            mirrored_[k][j][part] = sure || j < row ? word : 0;
          }
      }
      if constexpr (kLayout.rest_has_features()) {
#pragma unroll
        for (int half = 0; half < 2; ++half) {
          right_[k][half] =
              packed(sums[kShares.rest_tile(k)], half, scale, row >= 0 && lane_ % 4 != 3);
          below_[k][half] = transposed(right_[k][half]);
        }
      }
    });
    if constexpr (kLayout.rest_has_features())
      corner_ = packed(sums[kShares.corner()], 0, scale,
                       member == Part::kCornerOwner && lane_ % 4 != 3 && lane_ / 4 < 6);
  }

  // Element e of the product, after a barrier.
  __device__ __forceinline__ float result(int, int e) const {
    return this->scaled(team_sum(shared_, e), e);
  }

  // As TeamProduct::multiply.
  __device__ __forceinline__ void multiply() const {
    const uint4* source = this->words();
    uint32_t own[kRounds][2];
    Part::for_rounds(member_, [&](int k, int row) {
      const int pair = row > 0 ? row : 0;
      const uint2 words = reinterpret_cast<const uint2*>(source + 8 * (pair / 2))[pair % 2];
      own[k][0] = words.x, own[k][1] = words.y;
    });
    float rows[kRounds][4] = {};
    // Products that follow each other add to different sums: each takes long.
    constexpr int kAtOnce = 4, kParts = (kPairs + kAtOnce - 1) / kAtOnce;
    uint4 v[2][2];
    load(v[0], source, 0);
#pragma unroll
    for (int part = 0; part < kParts; ++part) {
      if (part + 1 < kParts) load(v[(part + 1) % 2], source, part + 1);
      const uint4(&words)[2] = v[part % 2];
      float mirror[kAtOnce][4] = {};
#pragma unroll
      for (int i = 0; i < kAtOnce * kRounds; ++i) {
        const int k = i % kRounds, at = (k + i / kRounds) % kAtOnce, j = part * kAtOnce + at;
        if (j >= kShares.length(k)) continue;
        const uint4& four = words[at / 2];
        multiply_add<Half>(rows[k], blocks_[k][j], at % 2 == 0 ? four.x : four.z,
                           at % 2 == 0 ? four.y : four.w);
        if (j + 1 < kShares.length(k))
          multiply_add<Half>(mirror[at], mirrored_[k][j], own[k][0], own[k][1]);
      }
#pragma unroll
      for (int at = 0; at < kAtOnce; ++at)
        if (part * kAtOnce + at + 1 < kPairs)
          keep(mirror[at], shared_.mirrored[member_] + 16 * (part * kAtOnce + at));
    }
    if constexpr (kLayout.rest_has_features()) {
      const uint32_t last =
          reinterpret_cast<const uint32_t*>(source + kPairs / 2 * 8)[kPairs % 2 * 2];
      float rest[4] = {}, corner[4] = {};
#pragma unroll
      for (int k = 0; k < kRounds; ++k) {
        multiply_add(rows[k], right_[k], last);
        const uint32_t below[4] = {below_[k][0], 0, below_[k][1], 0};
        multiply_add<Half>(rest, below, own[k][0], own[k][1]);
      }
      const uint32_t right[2] = {corner_, 0};
      multiply_add(corner, right, last);
      const bool first = lane_ % 4 == 0;
      keep_if(first, rest[0] + rest[1], shared_.mirrored[member_] + 16 * kPairs + lane_ / 4);
      keep_if(first && member_ == Part::kCornerOwner, corner[0] + corner[1],
              shared_.rows + 16 * kPairs + lane_ / 4);
    }
    Part::for_rounds(member_, [&](int k, int row) {
      keep(rows[k], shared_.rows + 16 * (row >= 0 ? row : 0), row >= 0);
    });
  }

 private:
  // The lanes of a row have the products with the two halves of the vector; the sums to 16 floats.
  __device__ __forceinline__ void keep(const float (&sums)[4], float* target,
                                       bool wanted = true) const {
    const bool upper = lane_ % 4 == 0;
    keep_if(wanted && lane_ % 4 < 2, upper ? sums[0] + sums[1] : sums[2] + sums[3],
            target + lane_ / 4 + (upper ? 0 : 8));
  }
  // Without a branch: there are many.
  static __device__ __forceinline__ void keep_if(bool wanted, float sum, float* target) {
    store_shared_if(wanted, shared_address(target), __float_as_uint(sum));
  }

  uint32_t blocks_[kRounds][kPairs][4], mirrored_[kRounds][kPairs][4];  // of 16 x 16
  // Where 8 columns are left over: they, and the same mirrored.
  uint32_t right_[kRounds][2], below_[kRounds][2];
  uint32_t corner_;
};

}  // namespace alsbench
