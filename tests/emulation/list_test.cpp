// SPDX-License-Identifier: Apache-2.0
// The list of rows and pieces that kernels take their work from.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/rows/list.cuh"
#include "tests/emulation/problem.h"

namespace alsbench {
namespace {

using emulated::Problem;

const std::vector<int> kLengths{0, 5, 16, 150, 0, 33, 1, 100, 64, 49, 48, 2, 7, 40};

// The list of a problem, which lives as long.
struct List {
  List(Problem& problem, int chunk, bool ordered, int short_ratings, bool reversed,
       bool dealt = true)
      : workspace{problem.offsets.back(), chunk, 0, problem.rows, short_ratings, dealt},
        p(problem.params(workspace.bytes(), PieceWorkspace::kItemsAt)) {
    p.plan.pieces = workspace.layout(ordered);
    emulation::launch(3, 32, reversed, [&] { count_items<32>(p); });
    emulation::launch(3, 32, reversed, [&] { place_items<32>(p); });
  }
  std::span<const RowItem> items() const { return {listed_items(p), row_counters(p)->items}; }
  std::span<const RowItem> short_items(int number) const {
    const uint32_t* begin = row_counters(p)->short_begin;
    return {listed_items(p) + begin[number], begin[number + 1] - begin[number]};
  }

  PieceWorkspace workspace;
  UpdateParams p;
};

TEST(ItemList, HasEveryRatingOnceAndTheLongestItemsLast) {
  for (const bool reversed : {false, true}) {
    Problem problem(8, kLengths, 160);
    const List list(problem, 48, /* ordered */ false, 0, reversed);
    std::vector<int> times(problem.indices.size());
    std::map<int, int> rows;  // listed whole
    int pieces = 0, length = 0;
    for (const RowItem& item : list.items()) {
      for (int i = 0; i < item.count(); ++i) ++times[static_cast<size_t>(item.begin + i)];
      EXPECT_GE(length_class(item.count()), length_class(length));
      length = item.count();
      if (item.slot >= 0)
        ++pieces;
      else
        ++rows[item.row];
    }
    EXPECT_EQ(times, std::vector<int>(times.size(), 1));
    EXPECT_EQ(rows.size(), 10u);  // of 14, the longest four are cut
    EXPECT_EQ(pieces, 4 + 3 + 2 + 2);
    EXPECT_EQ(row_counters(list.p)->tickets, -(10 + pieces));
    EXPECT_EQ(row_counters(list.p)->split_rows, 4u);
  }
}

TEST(ItemList, OrdersPiecesByColumnBehindTheRows) {
  Problem problem(8, kLengths, 160);
  const List list(problem, 48, /* ordered */ true, 0, false);
  const auto items = list.items();
  const auto first_piece =
      std::find_if(items.begin(), items.end(), [](const RowItem& item) { return item.slot >= 0; });
  EXPECT_EQ(std::distance(first_piece, items.end()), 11);
  EXPECT_TRUE(std::is_sorted(first_piece, items.end(), [&](const RowItem& a, const RowItem& b) {
    return problem.indices[a.begin] < problem.indices[b.begin];
  }));
}

TEST(ItemList, LeavesRowsThatAreNotLongInTheirOrder) {
  std::vector<int> lengths;
  for (int i = 0; i < 200; ++i) lengths.push_back(i % 50 == 0 ? 30 : i % 7);
  Problem problem(8, lengths, 160);
  const List list(problem, 64, /* ordered */ false, 0, false, /* dealt */ false);
  const auto items = list.items();
  ASSERT_EQ(items.size(), lengths.size());
  for (size_t i = 0; i + 4 < items.size(); ++i) EXPECT_LT(items[i].count(), 7) << i;
  for (size_t i = items.size() - 4; i < items.size(); ++i) EXPECT_EQ(items[i].count(), 30) << i;
}

TEST(ItemList, KeepsShortRowsByClass) {
  Problem problem(8, {70, 3, 64, 200, 65, 0, 128, 129, 150}, 300);
  const List list(problem, 128, /* ordered */ true, 128, true);
  const auto rows_of = [&](int number) {
    std::vector<int> rows;
    for (const RowItem& item : list.short_items(number)) rows.push_back(item.row);
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  EXPECT_EQ(rows_of(0), (std::vector<int>{1, 2, 5}));
  EXPECT_EQ(rows_of(1), (std::vector<int>{0, 4, 6}));
  EXPECT_EQ(rows_of(2), std::vector<int>());
  EXPECT_EQ(list.items().size(), size_t{2 + 2 + 2});  // pieces of 200, 129 and 150 ratings
}

TEST(ItemList, ClassesOfLengthAscendAndAreNarrow) {
  int first = 0;
  for (int ratings = 1; ratings < 100000; ++ratings) {
    EXPECT_GE(length_class(ratings), length_class(ratings - 1));
    EXPECT_LE(length_class(ratings), length_class(ratings - 1) + 1);
    if (length_class(ratings) != length_class(ratings - 1)) first = ratings;
    EXPECT_LE(ratings, first + first / 4) << ratings;
  }
  EXPECT_EQ(length_class(1 << 30), kLengthClasses - 1);
}

}  // namespace
}  // namespace alsbench
