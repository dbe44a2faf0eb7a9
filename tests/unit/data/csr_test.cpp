// SPDX-License-Identifier: Apache-2.0
#include "harness/data/csr.h"

#include <omp.h>

#include "harness/data/split.h"
#include "support.h"

namespace alsbench {
namespace {

std::vector<Rating> pseudo_random_ratings(int32_t rows, int32_t cols) {
  std::vector<Rating> ratings;
  for (int32_t col = cols - 1; col >= 0; --col) {
    for (int32_t row = 0; row < rows; ++row) {
      const uint32_t hash = static_cast<uint32_t>(row * 7919 + col * 104729) * 2654435761u;
      if (hash % 10 < 3) ratings.push_back({row, col, static_cast<float>(hash % 50) / 10});
    }
  }
  return ratings;
}

TEST(BuildCsr, SortsRowsAndColumnsAndKeepsEmptyRows) {
  const std::vector<Rating> ratings{{2, 1, 5}, {0, 3, 1}, {2, 0, 4}, {0, 2, 2}};
  const Csr matrix = build_csr(ratings, 4, 5);
  EXPECT_EQ(cells_of(matrix), "0:2=2 0:3=1 2:0=4 2:1=5");
  EXPECT_EQ(matrix.offsets.size(), 5);
  EXPECT_EQ(empty_rows(matrix), 2);
}

TEST(BuildCsr, OfNothingIsEmpty) {
  const Csr matrix = build_csr({}, 3, 2);
  EXPECT_EQ(matrix.nnz(), 0);
  EXPECT_EQ(empty_rows(matrix), 3);
}

TEST(CsrOf, DependsOnTheOrderOfEqualCellsAlone) {
  std::vector<Rating> ratings = pseudo_random_ratings(1500, 97);
  for (int32_t i = 0; i < 300; ++i) ratings.push_back({5 * i, i % 97, static_cast<float>(i)});
  const auto columns = [&] {
    std::vector<int32_t> rows, cols;
    std::vector<float> values;
    for (const Rating& rating : ratings) {
      rows.push_back(rating.row);
      cols.push_back(rating.col);
      values.push_back(rating.value);
    }
    return RatingColumns{Array<int32_t>(rows), Array<int32_t>(cols), Array<float>(values)};
  };
  const Csr matrix = csr_of(columns(), 1501, 97);
  expect_equal(build_csr(ratings, 1501, 97), matrix);
  std::stable_sort(ratings.begin(), ratings.end(), [](const Rating& a, const Rating& b) {
    return std::pair(a.row, a.col) < std::pair(b.row, b.col);
  });
  expect_equal(csr_of(columns(), 1501, 97), matrix);
  EXPECT_EQ(csr_of({}, 3, 2).offsets.size(), 4);
  expect_equal(csr_of({}, 3, 2), build_csr({}, 3, 2));
}

// All threads sort together what most ratings are of.
TEST(CsrOf, SomeRowsWithMostOfTheRatingsAreSortedAsOthersAre) {
  constexpr int32_t kRows = 200'000, kPopular = 3;
  std::vector<Rating> ratings;
  for (int32_t row = kRows - 1; row >= 0; --row) {
    ratings.push_back({row, row % kPopular, 1});
    ratings.push_back({row, 1000 + row % 5000, 2});
  }
  const Csr matrix = build_csr(ratings, kRows, 6000), by_col = transpose(matrix);
  ASSERT_EQ(by_col.nnz(), 2 * kRows);
  for (int32_t row = 0; row < kRows; ++row) {
    ASSERT_EQ(matrix.offsets[row], 2 * row);
    ASSERT_EQ(matrix.indices[2 * int64_t{row}], row % kPopular);
    ASSERT_EQ(matrix.indices[2 * int64_t{row} + 1], 1000 + row % 5000);
  }
  for (int32_t i = 0; i < kRows / kPopular; ++i) ASSERT_EQ(by_col.indices[i], kPopular * i);
  expect_equal(transpose(by_col), matrix);
}

TEST(Transpose, HasEveryCellOnceAndIsItsOwnInverse) {
  const auto ratings = pseudo_random_ratings(211, 97);
  const Csr matrix = build_csr(ratings, 211, 97);
  const Csr transposed = transpose(matrix);
  EXPECT_EQ(transposed.rows, 97);
  EXPECT_EQ(transposed.nnz(), static_cast<int64_t>(ratings.size()));
  std::vector<Rating> mirrored = ratings;
  for (Rating& rating : mirrored) std::swap(rating.row, rating.col);
  expect_equal(transposed, build_csr(mirrored, 97, 211));
  expect_equal(transpose(transposed), matrix);
}

TEST(Transpose, DoesNotDependOnTheNumberOfThreads) {
  const auto ratings = pseudo_random_ratings(500, 60);
  const int before = omp_get_max_threads();
  omp_set_num_threads(1);
  const Csr single = transpose(build_csr(ratings, 500, 60));
  omp_set_num_threads(5);
  const Csr five = transpose(build_csr(ratings, 500, 60));
  omp_set_num_threads(before);
  expect_equal(single, five);
}

TEST(ShapeOf, CountsBeyond32Bits) {
  // Offsets alone: rows of 1, 3e9 and 0 ratings, which no array here has to hold.
  const int64_t big = 3'000'000'000;
  const Csr matrix{3, 10, Array<int64_t>({0, 1, big + 1, big + 1}), {}, {}};
  const Shape shape = shape_of(matrix, 8);
  EXPECT_EQ(shape.nnz, big + 1);
  EXPECT_EQ(shape.longest_row(), big);
  EXPECT_EQ(shape.row_length_quantiles[2], 1);
  EXPECT_EQ(empty_rows(matrix), 1);
}

TEST(ShapeOf, QuantilesOfRowLengths) {
  std::vector<int64_t> offsets{0};
  for (int64_t length = 100; length >= 0; --length) offsets.push_back(offsets.back() + length);
  const Csr matrix{101, 1000, Array<int64_t>(offsets), {}, {}};
  const std::array<int64_t, 7> expected{0, 25, 50, 75, 90, 99, 100};
  EXPECT_EQ(shape_of(matrix, 1).row_length_quantiles, expected);
}

class SplitTest : public testing::Test {
 protected:
  const Csr all_ = build_csr(pseudo_random_ratings(300, 200), 300, 200);
};

TEST_F(SplitTest, IsExactAndLosesNothing) {
  for (const int64_t count : {int64_t{0}, int64_t{1}, int64_t{777}, all_.nnz() - 1, all_.nnz()}) {
    const Split split = split_ratings(all_, count, 3);
    EXPECT_EQ(split.test.nnz(), count);
    EXPECT_EQ(split.train.nnz(), all_.nnz() - count);
    std::vector<Rating> joined;
    for (const Csr* part : {&split.train, &split.test}) {
      for (int64_t row = 0; row < part->rows; ++row) {
        for (int64_t i = part->offsets[row]; i < part->offsets[row + 1]; ++i)
          joined.push_back({static_cast<int32_t>(row), part->indices[i], part->values[i]});
      }
    }
    expect_equal(build_csr(joined, 300, 200), all_);
  }
}

TEST_F(SplitTest, FollowsTheSeedAndSpreadsOverRows) {
  const Split split = split_ratings(all_, all_.nnz() / 10, 1);
  expect_equal(split.test, split_ratings(all_, all_.nnz() / 10, 1).test);
  EXPECT_NE(cells_of(split.test), cells_of(split_ratings(all_, all_.nnz() / 10, 2).test));
  // A tenth of the ~60 ratings of each row: hardly any row may be left out.
  EXPECT_LT(empty_rows(split.test), 10);
}

}  // namespace
}  // namespace alsbench
