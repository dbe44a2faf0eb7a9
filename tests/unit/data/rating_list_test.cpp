// SPDX-License-Identifier: Apache-2.0
// Lists of ratings have every rating once, in the order that was asked for, and equal seeds give
// equal lists.
#include "harness/data/rating_list.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/unit/rating_sets.h"

namespace alsbench {
namespace {

using Cell = std::tuple<int32_t, int32_t, float>;

std::vector<Cell> ratings_of(const RatingList& list) {
  std::vector<Cell> cells;
  for (int64_t i = 0; i < list.count(); ++i)
    cells.emplace_back(list.rows[i], list.cols[i], list.values[i]);
  return cells;
}

std::vector<Cell> ratings_of(const Csr& matrix) {
  std::vector<Cell> cells;
  for (int64_t row = 0; row < matrix.rows; ++row)
    for (int64_t i = matrix.offsets[row]; i < matrix.offsets[row + 1]; ++i)
      cells.emplace_back(static_cast<int32_t>(row), matrix.indices[i], matrix.values[i]);
  return cells;
}

std::vector<Cell> sorted(std::vector<Cell> cells) {
  std::sort(cells.begin(), cells.end());
  return cells;
}

TEST(RatingList, HasEveryRatingOnce) {
  const Csr ratings = planted_set(300, 80, 0.3, 7).by_user;
  for (const char* order : {"run=1", "run=16", "run=1000", "grid=1", "grid=7", "grid=200"})
    EXPECT_EQ(sorted(ratings_of(rating_list(ratings, order, 3))), ratings_of(ratings)) << order;
}

TEST(RatingList, OfNoRatingsIsEmpty) {
  const Csr ratings = build_csr({}, 5, 4);
  EXPECT_EQ(shuffled_runs(ratings, 16, 1).count(), 0);
  const RatingList blocks = rating_blocks(ratings, 3, 1);
  EXPECT_EQ(blocks.count(), 0);
  EXPECT_EQ(blocks.blocks.size(), 10);
}

TEST(RatingList, FollowsTheSeedAlone) {
  const Csr ratings = planted_set(300, 80, 0.3).by_user;
  for (const char* order : {"run=16", "grid=7"}) {
    const auto once = ratings_of(rating_list(ratings, order, 3));
    EXPECT_EQ(ratings_of(rating_list(ratings, order, 3)), once) << order;
    EXPECT_NE(ratings_of(rating_list(ratings, order, 4)), once) << order;
  }
}

// A row of 100 ratings in runs of 16 stands at 7 places, most of them far apart.
TEST(RatingList, RunsKeepSomeRatingsOfARowTogether) {
  std::vector<Rating> all;
  for (int32_t row = 0; row < 50; ++row)
    for (int32_t col = 0; col < 100; ++col) all.push_back({row, col, 1});
  const RatingList list = shuffled_runs(build_csr(all, 50, 100), 16, 1);
  std::map<int32_t, int> runs;
  bool ascending = true;
  for (int64_t i = 0, length = 0; i < list.count(); ++i) {
    const bool begins = i == 0 || list.rows[i] != list.rows[i - 1];
    length = begins ? 1 : length + 1;
    runs[list.rows[i]] += begins ? 1 : 0;
    ascending = ascending && (begins || list.cols[i] > list.cols[i - 1]);
  }
  EXPECT_FALSE(ascending) << "a row's ratings are not shuffled";
  int count = 0;
  for (const auto& [row, of_row] : runs) {
    EXPECT_LE(of_row, 7) << row;
    EXPECT_GE(of_row, 4) << row;  // two runs may meet
    count += of_row;
  }
  EXPECT_GT(count, 320);  // of 350
}

TEST(RatingList, BlocksOfADiagonalHaveNoRowOrColumnInCommon) {
  constexpr int32_t kGrid = 5;
  const RatingList list = rating_blocks(planted_set(300, 80, 0.3).by_user, kGrid, 1);
  ASSERT_EQ(list.blocks.size(), kGrid * kGrid + 1);
  std::map<int32_t, std::set<int64_t>> row_parts, col_parts;
  int64_t heaviest = 0;
  for (int64_t block = 0; block < kGrid * kGrid; ++block) {
    heaviest = std::max(heaviest, list.blocks[block + 1] - list.blocks[block]);
    for (int64_t i = list.blocks[block]; i < list.blocks[block + 1]; ++i) {
      row_parts[list.rows[i]].insert(block / kGrid);
      col_parts[list.cols[i]].insert(block % kGrid);
    }
  }
  for (const auto& parts : {row_parts, col_parts})
    for (const auto& [row, of_row] : parts) EXPECT_EQ(of_row.size(), 1u) << row;
  EXPECT_LT(heaviest, 1.2 * static_cast<double>(list.count()) / (kGrid * kGrid));
}

TEST(RatingList, RefusesAnotherOrder) {
  const Csr ratings = planted_set(10, 10, 0.5).by_user;
  for (const char* order : {"", "run", "run=0", "rows=3"})
    EXPECT_THROW(rating_list(ratings, order, 1), std::invalid_argument) << order;
}

}  // namespace
}  // namespace alsbench
