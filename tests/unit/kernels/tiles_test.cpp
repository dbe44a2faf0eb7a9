// SPDX-License-Identifier: Apache-2.0
// AMX tiles, emulated and, where the processor has them, its own: every sum of a row as a plain
// loop has it.
#include "kernels/cpu/tiles/tiles.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <new>
#include <random>
#include <string>
#include <vector>

#include "kernels/shared/byte_factors.h"

namespace alsbench {

void PrintTo(const TileKernels* kernels, std::ostream* stream) { *stream << kernels->name; }

namespace {

std::vector<const TileKernels*> all_tiles() {
  std::vector<const TileKernels*> list{&emulated_tiles()};
  if (const TileKernels* own = tile_support().kernels; own != nullptr && own != list.front())
    list.push_back(own);
  return list;
}

// Rows of random bytes and ratings of whole and half stars.
struct Problem {
  static constexpr int kCols = 400;
  int rank, tiles;
  ByteFactors layout;
  std::vector<int8_t> rows;
  std::vector<int64_t> offsets{0};
  std::vector<int32_t> indices;
  std::vector<float> values;

  Problem(int rank_, const std::vector<int>& lengths)
      : rank(rank_), tiles(tiles_of_rank(rank_)), layout{rank_} {
    std::mt19937 generator(3);
    rows.assign(static_cast<size_t>(kCols) * layout.row_bytes(), 0);
    for (int row = 0; row < kCols; ++row)
      for (int i = 0; i < rank; ++i)
        rows[row * layout.row_bytes() + layout.place(i)] =
            static_cast<int8_t>(static_cast<int>(generator() % 255) - 127);
    for (const int length : lengths) {
      for (int k = 0; k < length; ++k) {
        indices.push_back(static_cast<int32_t>(generator() % kCols));
        values.push_back(static_cast<float>(static_cast<int>(generator() % 21) - 10) * 0.5f);
      }
      offsets.push_back(static_cast<int64_t>(indices.size()));
    }
  }

  TileTask task() const {
    TileTask task;
    task.offsets = offsets.data();
    task.indices = indices.data();
    task.values = values.data();
    task.nnz = offsets.back();
    task.rating_scale = 4096;  // of ratings up to 5
    task.rows = rows.data();
    task.rank = rank;
    return task;
  }
  int byte(int64_t k, int column) const {
    return rows[indices[k] * layout.row_bytes() + tile_place(tiles, column)];
  }
};

class TilesTest : public ::testing::TestWithParam<const TileKernels*> {
 protected:
  std::vector<int32_t> sums_of(const Problem& problem, int row) const {
    const TileKernels& kernels = *GetParam();
    constexpr std::align_val_t kLine{64};
    void* const memory = ::operator new(kernels.memory_bytes(problem.rank), kLine);
    std::vector<int32_t> sums(static_cast<size_t>(sum_tiles(problem.tiles)) * kTileSide *
                              kTileSide);
    kernels.form(problem.task(), row, memory, sums.data());
    ::operator delete(memory, kLine);
    return sums;
  }
};

INSTANTIATE_TEST_SUITE_P(Kinds, TilesTest, ::testing::ValuesIn(all_tiles()),
                         [](const auto& kind) { return std::string(kind.param->name); });

int64_t plain_sum(const Problem& problem, int row, int i, int j) {
  int64_t sum = 0;
  for (int64_t k = problem.offsets[row]; k < problem.offsets[row + 1]; ++k)
    sum += problem.byte(k, i) * problem.byte(k, j);
  return sum;
}

int64_t plain_bias(const Problem& problem, int row, int i) {
  int64_t sum = 0;
  for (int64_t k = problem.offsets[row]; k < problem.offsets[row + 1]; ++k)
    sum += static_cast<int64_t>(problem.values[k] * 4096 / 2) * problem.byte(k, i);
  return sum;
}

TEST_P(TilesTest, SumsAreThoseOfAPlainLoop) {
  for (const int rank : {1, 8, 16, 17, 33, 64, 80, 100, 128, 200, 256}) {
    const Problem problem(rank, {1, 3, 63, 64, 65, 129, 300, 1000});
    for (int row = 0; row + 1 < static_cast<int>(problem.offsets.size()); ++row) {
      const std::vector<int32_t> sums = sums_of(problem, row);
      const auto sum = [&](int tile, int i, int j) {
        return sums[(tile * kTileSide + i % kTileSide) * kTileSide + j % kTileSide];
      };
      int64_t wrong = 0;
      for (int i = 0; i < problem.tiles * kTileSide; ++i) {
        for (int j = 0; j <= i; ++j)
          wrong +=
              sum(tile_index(i / kTileSide, j / kTileSide), i, j) != plain_sum(problem, row, i, j);
        const int bias = tile_index(problem.tiles, 0) + i / kTileSide;
        wrong += 254 * int64_t{sum(bias, 0, i)} + sum(bias, 1, i) != plain_bias(problem, row, i);
      }
      EXPECT_EQ(wrong, 0) << "rank " << rank << ", row " << row;
    }
  }
}

TEST(TilePlaces, EachIsTakenOnce) {
  for (int tiles = 1; tiles <= kMaxTileRank / kTileSide; ++tiles) {
    std::vector<int> taken(static_cast<size_t>(tiles) * kTileSide);
    for (int i = 0; i < tiles * kTileSide; ++i) ++taken.at(tile_place(tiles, i));
    for (const int count : taken) EXPECT_EQ(count, 1) << tiles;
  }
}

TEST(TileSupport, SaysWhyThereIsNone) {
  const TileSupport& support = tile_support();
  EXPECT_EQ(support.kernels == nullptr, !support.reason.empty());
}

// Of Linux and the processor, as they answer.
TEST(TileSupport, NamesWhatRefuses) {
  const TileAnswers all{true, true, 0};
  EXPECT_EQ(why_no_tiles(all), "");
  EXPECT_EQ(why_no_tiles({false, true, 0}), "the processor has no AMX tiles");
  EXPECT_EQ(why_no_tiles({true, false, 0}),
            "the operating system does not keep AMX tiles; it takes Linux 5.16 or later");
  EXPECT_EQ(why_no_tiles({true, true, EPERM}),
            "Linux refuses AMX tiles to this process (arch_prctl: Operation not permitted)");
}

}  // namespace
}  // namespace alsbench
