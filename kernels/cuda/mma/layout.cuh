// SPDX-License-Identifier: Apache-2.0
// How the tensor-core variants divide A_u into tiles, and what their shared memory holds. Plain
// constants, seen by the kernels (kernels/cuda/{mma,normal_equations,update}) and by their plans
// (variants/als/tensor_cores.cpp).
#pragma once

#include "kernels/cuda/rows/pieces.cuh"
#include "kernels/shared/byte_factors.h"
#include "kernels/shared/views.h"

namespace alsbench {

struct MmaLayout {
  int rank = 0;
  int stages = 4;           // groups of ratings in a warp's ring
  int warps = 4;            // of a block
  int extra_bytes = 0;      // bytes of shared memory that a warp has besides its ring
  int team = 1;             // warps that share a row and a ring
  int element = 2;          // bytes of a factor
  int parts = 2;            // of what a stage has of a rating
  bool warpgroups = false;  // multiply bytes (mma/int8_warpgroup.cuh)
  bool halves = false;      // a factor is the sum of two halves (mma/halves.cuh)

  static constexpr int kMaxTiles = 49;  // four registers each, of 255

  ALSBENCH_HOST_DEVICE constexpr bool bytes() const { return element == 1; }
  // Ratings that are copied and multiplied together.
  ALSBENCH_HOST_DEVICE constexpr int group() const { return bytes() ? 32 : 16; }

  // The factors, zeros, and in the last two columns the rating as the sum of two parts: b_u is
  // then a part of the product. In shared memory those two are zeros; the ratings lie aside.
  // Those of warpgroups are whole pairs of tiles.
  ALSBENCH_HOST_DEVICE constexpr int columns() const {
    const int unit = warpgroups ? 16 : 8;
    return (rank + 2 + unit - 1) / unit * unit;
  }
  // The lower triangle: `pairs` rows of tiles 16 high, each as long as it is needed (tiles are 8
  // wide); where 8 columns are left over, they are one more column of tiles and a corner.
  ALSBENCH_HOST_DEVICE constexpr int pairs() const { return columns() / 16; }
  ALSBENCH_HOST_DEVICE constexpr bool has_rest() const { return columns() % 16 != 0; }
  // Whether those 8 columns have features, and not the ratings alone, as at ranks of whole pairs.
  ALSBENCH_HOST_DEVICE constexpr bool rest_has_features() const {
    return has_rest() && rank > 16 * pairs();
  }
  ALSBENCH_HOST_DEVICE constexpr int tile(int pair, int column) const {
    return pair * (pair + 1) + column;
  }
  ALSBENCH_HOST_DEVICE constexpr int rest_tile(int pair) const {
    return pairs() * (pairs() + 1) + pair;  // pair == pairs(): the corner
  }
  ALSBENCH_HOST_DEVICE constexpr int tiles() const {
    return pairs() * (pairs() + 1) + (has_rest() ? pairs() + 1 : 0);
  }

  // Rows of tiles, the corner one of them.
  ALSBENCH_HOST_DEVICE constexpr int rows() const { return pairs() + (has_rest() ? 1 : 0); }

  // Of a factor row in shared memory. An odd number of blocks of 8 factors (of 16 bytes): the reads
  // of operands then meet no bank twice.
  ALSBENCH_HOST_DEVICE constexpr int row_bytes() const {
    if (warpgroups) return (pairs() / 2 * 2 + 1) * 16;
    if (bytes() || halves) return (vectors() + 1) * 16;
    return (columns() / 8 % 2 == 1 ? columns() / 8 : columns() / 8 + 1) * 8 * element;
  }
  ALSBENCH_HOST_DEVICE constexpr int vectors() const {  // of 16 bytes, copied
    if (warpgroups) return (rank + 15) / 16;
    if (bytes()) return ByteFactors{rank}.row_bytes() / 16;
    if (halves) return columns() / 4;  // all first halves of a row, then all second ones
    return factor_pitch(rank) * element / 16;
  }
  // A group's factor rows, then the first parts of its ratings, then the second ones; the roots of
  // their weights, if there are any, are the third.
  ALSBENCH_HOST_DEVICE constexpr int ratings_at() const { return group() * row_bytes(); }
  ALSBENCH_HOST_DEVICE constexpr int part_at(int part) const {
    return ratings_at() + part * group() * element;
  }
  ALSBENCH_HOST_DEVICE constexpr int stage_bytes() const { return part_at(parts); }
  // Behind the stages are the slots of a second ring: a group's indices, its ratings, and where it
  // is the last of its item, that. They come as long before the factor rows as those before the
  // products.
  ALSBENCH_HOST_DEVICE constexpr int slot_bytes() const {
    return 4 * (2 * group() + kRowItemWords);
  }
  ALSBENCH_HOST_DEVICE constexpr int ahead() const { return stages - 1; }
  ALSBENCH_HOST_DEVICE constexpr int slots() const {  // a power of two
    int slots = 1;
    while (slots < 2 * ahead() + 1) slots *= 2;
    return slots;
  }
  // Behind them are the two operands of warpgroups, one that is multiplied and one that is made:
  // the factors of two groups, transposed.
  ALSBENCH_HOST_DEVICE constexpr int operands_at() const {
    return stages * stage_bytes() + slots() * slot_bytes();
  }
  ALSBENCH_HOST_DEVICE constexpr int operand_bytes() const { return 2 * group() * columns(); }
  ALSBENCH_HOST_DEVICE constexpr int ring_bytes() const {
    return operands_at() + (warpgroups ? 2 * operand_bytes() : 0);
  }
  ALSBENCH_HOST_DEVICE constexpr int warp_bytes() const { return ring_bytes() + extra_bytes; }
  ALSBENCH_HOST_DEVICE constexpr int shared_bytes() const { return scales_at() + scales_bytes(); }
  // The scales of bytes, behind all that the warps have, those of whole tiles; in an update, the
  // largest magnitudes of its solutions behind them.
  ALSBENCH_HOST_DEVICE constexpr int scales_at() const {
    return warps / team * ring_bytes() + warps * extra_bytes;
  }
  ALSBENCH_HOST_DEVICE constexpr int scales_bytes() const {
    return bytes() ? 4 * (scales() + (extra_bytes > 0 ? (rank + 3) / 4 * 4 : 0)) : 0;
  }
  ALSBENCH_HOST_DEVICE constexpr int scales() const { return (columns() + 15) / 16 * 16; }
  // The lower triangle of A_u as halves, in blocks of 16 x 16, through which warpgroups hand each
  // other what they solve with.
  static constexpr int kMatrixBlockBytes = 512;
  ALSBENCH_HOST_DEVICE constexpr int matrix_blocks() const {
    return warpgroups ? vectors() * (vectors() + 1) / 2 : 0;
  }
  // Of the vectors that a warp solves with, in shared memory: two, the second one of a multiple of
  // 32 floats. A team shares two, and has a third for each warp and room for two reductions. Jacobi
  // has one more, behind them. Warpgroups also have the matrix.
  ALSBENCH_HOST_DEVICE constexpr int vectors_bytes(int warps_of_team, bool jacobi = false) const {
    const int more = (jacobi ? columns() : 0) + matrix_blocks() * kMatrixBlockBytes / 4;
    const int padded = (columns() + 31) / 32 * 32;
    if (warps_of_team <= 1) return 4 * (columns() + padded + more);
    const int floats = padded + (1 + warps_of_team) * columns() + 2 * 4 * warps_of_team + more;
    return (4 * floats / warps_of_team + 31) / 16 * 16;
  }
};

// The operand in place of a type of factors: Weighted<Factor> (implicit/weights.cuh) has a weight a
// rating.
template <typename Factor>
struct MmaFactor {
  using Element = Factor;  // of the operands
  static constexpr int kParts = 2;
};

// Whether a factor row has two parts (mma/halves.cuh).
template <typename Factor>
constexpr bool kIsSplit = false;

// Stage traits of the kernels of a stream of factors.
template <int kRank, typename Factor>
ALSBENCH_HOST_DEVICE constexpr MmaLayout ring_layout(int stages = MmaLayout{}.stages,
                                                     bool warpgroups = false) {
  MmaLayout layout{kRank, stages};
  layout.warpgroups = warpgroups;
  layout.element = sizeof(Factor);
  layout.parts = MmaFactor<Factor>::kParts;
  layout.halves = kIsSplit<Factor>;
  return layout;
}

// Sums of products of signed bytes, 127^2 at most, begin as the bits of 1.5 * 2^23 (byte_sums.cuh):
// so many ratings keep them below 2^31.
inline constexpr int kBiasedZeroBits = 0x4b400000;
inline constexpr int kMaxInt8Ratings = (0x7fffffff - kBiasedZeroBits) / (127 * 127);

// The tiles of a row, by a warp or a team, or by warpgroups.
ALSBENCH_HOST_DEVICE constexpr MmaLayout team_layout(int rank, bool warpgroups,
                                                     bool halves = false) {
  MmaLayout layout;
  layout.rank = rank;
  layout.warpgroups = warpgroups;
  layout.halves = halves;
  return layout;
}

// Where a warp's registers do not hold all tiles, a team of warps shares them: rows of tiles are
// dealt in rounds, from the longest on. All warps run the same code: in a round each has as many
// tiles as the longest row of it, and those that its own row lacks are not used. So has each a
// corner.
struct MmaTeam {
  static constexpr int kMaxWarps = 8, kMaxTiles = 51;
  int warps = 0;
  int pairs = 0;   // rows of tiles but the corner
  int rounds = 0;  // the rows a warp has at most
  int tiles = 0;   // of a warp
  bool has_rest = false;
  bool warpgroups = false;
  bool halves = false;

  ALSBENCH_HOST_DEVICE constexpr MmaTeam(const MmaLayout& layout, int warps_)
      : warps(warps_),
        pairs(layout.pairs()),
        has_rest(layout.has_rest()),
        warpgroups(layout.warpgroups),
        halves(layout.halves) {
    if (warps == 0) return;
    rounds = (pairs + warps - 1) / warps;
    tiles = first_tile(rounds) + (has_rest ? 1 : 0);
  }

  // The row that a warp has in a round; negative: none.
  ALSBENCH_HOST_DEVICE constexpr int row(int round, int warp) const {
    return pairs - 1 - round * warps - warp;
  }
  // Pairs of tiles of a round: blocks of 16 columns; and where its tiles begin, the one of the
  // columns left over behind the pairs.
  ALSBENCH_HOST_DEVICE constexpr int length(int round) const { return pairs - round * warps; }
  ALSBENCH_HOST_DEVICE constexpr int first_tile(int round) const {
    int first = 0;
    for (int i = 0; i < round; ++i) first += 2 * length(i) + (has_rest ? 1 : 0);
    return first;
  }
  ALSBENCH_HOST_DEVICE constexpr int rest_tile(int round) const {
    return first_tile(round) + 2 * length(round);
  }
  ALSBENCH_HOST_DEVICE constexpr int corner() const { return first_tile(rounds); }

  // The sums, the operands of a group, and what the loop needs; a thread has 255 at most. One warp
  // keeps the operands B of all rows, a warp of a team the operands A of its own; those of
  // warpgroups stay in shared memory. Operands of halves are twice as large, and a pair of tiles of
  // each round begins as zero.
  ALSBENCH_HOST_DEVICE constexpr int wanted() const {
    if (warpgroups) return 4 * tiles + 48;
    if (halves) return 4 * (tiles + 4 * rounds) + 60;
    return 4 * (tiles + rounds) + (warps == 1 ? 64 : 56);
  }
  ALSBENCH_HOST_DEVICE constexpr int registers() const {
    return wanted() < 256 ? (wanted() + 7) / 8 * 8 : 256;
  }
  // Teams a multiprocessor holds, whose four schedulers have 16 Ki registers each.
  ALSBENCH_HOST_DEVICE constexpr int at_once() const {
    return 4 * (16384 / (32 * registers())) / warps;
  }
};
// The smallest team whose registers hold the tiles and of which a multiprocessor holds two warps a
// scheduler, or else the largest; of 0 warps where none holds the tiles.
ALSBENCH_HOST_DEVICE constexpr MmaTeam mma_team(const MmaLayout& layout) {
  constexpr int kWantedWarps = 8, kFits = 260;  // what is wanted is a little more than is used
  MmaTeam best(MmaLayout{}, 0);
  if (layout.warpgroups) {  // one, of four warps, or two
    for (int warps = 4; warps <= MmaTeam::kMaxWarps && best.warps == 0; warps *= 2)
      if (const MmaTeam team(layout, warps); team.wanted() < 256) best = team;
    return best;
  }
  for (int warps = layout.halves ? 2 : 1; warps <= MmaTeam::kMaxWarps; ++warps) {
    const MmaTeam team(layout, warps);
    if (team.tiles > (warps == 1 ? MmaLayout::kMaxTiles : MmaTeam::kMaxTiles)) continue;
    best = team;
    if (warps == 1 || (team.wanted() <= kFits && team.at_once() * warps >= kWantedWarps)) break;
  }
  return best;
}

// Blocks of `layout` that a multiprocessor with `shared` bytes of shared memory should hold.
ALSBENCH_HOST_DEVICE constexpr int mma_blocks(const MmaLayout& layout, int64_t shared) {
  constexpr int kMaxWarps = 32, kReserved = 1024;
  const MmaTeam team = mma_team(layout);
  const int by_registers =
      team.warps > 1 ? team.at_once() : 65536 / (32 * layout.warps * team.registers());
  const int by_shared = static_cast<int>(shared / (layout.shared_bytes() + kReserved));
  int blocks = by_registers < by_shared ? by_registers : by_shared;
  if (blocks * layout.warps > kMaxWarps) blocks = kMaxWarps / layout.warps;
  return blocks < 1 ? 1 : blocks;
}

// Of a piece's sums in the workspace: a float4 a lane and tile.
ALSBENCH_HOST_DEVICE constexpr int64_t mma_slot_bytes(int rank, bool warpgroups = false,
                                                      bool halves = false) {
  const MmaTeam team = mma_team(team_layout(rank, warpgroups, halves));
  return int64_t{team.warps} * team.tiles * 32 * 16;
}

// The sums of a row, as the lanes of a warp hold them.
template <int kRank>
using MmaSums = float[MmaLayout{kRank}.tiles()][4];

}  // namespace alsbench
