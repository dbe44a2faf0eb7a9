// SPDX-License-Identifier: Apache-2.0
// Small rating sets with what breaks kernels: empty rows and columns, one very long row, a single
// rating.
#pragma once

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "harness/data/csr.h"

namespace alsbench::testing {

inline constexpr float kLambda = 0.05f;

inline RatingSet rating_set(std::string id, std::vector<Rating> ratings, int64_t rows,
                            int64_t cols) {
  std::sort(ratings.begin(), ratings.end(), [](const Rating& a, const Rating& b) {
    return a.row != b.row ? a.row < b.row : a.col < b.col;
  });
  RatingSet set;
  set.id = std::move(id);
  set.by_user = build_csr(ratings, rows, cols);
  set.by_item = transpose(set.by_user);
  // the cells of the diagonal, cold ones among them
  std::vector<Rating> test;
  for (int32_t i = 0; i < std::min(rows, cols); ++i) test.push_back({i, i, 3.5f});
  set.test = build_csr(test, rows, cols);
  for (const Rating& rating : ratings) set.mean += rating.value;
  set.mean /= static_cast<double>(std::max<size_t>(1, ratings.size()));
  return set;
}

// Rows of all lengths from 0 to 40; rows and columns without ratings at the ends and between.
inline RatingSet ragged_set() {
  std::mt19937 generator(1);
  std::vector<Rating> ratings;
  constexpr int32_t kRows = 45, kCols = 70;
  for (int32_t row = 1; row < kRows - 1; ++row)
    for (int32_t k = 0; k < row - 1; ++k) {
      const int32_t col = (row * 7 + k) % (kCols - 2) + 1;
      if (col % 10 == 0) continue;
      ratings.push_back({row, col, static_cast<float>(generator() % 9 + 1) * 0.5f});
    }
  return rating_set("ragged", std::move(ratings), kRows, kCols);
}

// One row of 5000 ratings, longer than any buffer, between short ones.
inline RatingSet long_row_set() {
  std::mt19937 generator(2);
  std::vector<Rating> ratings;
  constexpr int32_t kCols = 5003;
  for (int32_t col = 0; col < 5000; ++col)
    ratings.push_back({1, col, static_cast<float>(generator() % 5 + 1)});
  for (int32_t row : {0, 2}) ratings.push_back({row, 5002 - row, 4.0f});
  return rating_set("long row", std::move(ratings), 3, kCols);
}

// Row i has 1 / (1 + i mod 16) of all columns, spread over them: long rows among shorter ones.
inline RatingSet uneven_set(int32_t rows, int32_t cols) {
  std::mt19937 generator(3);
  std::vector<Rating> ratings;
  for (int32_t row = 0; row < rows; ++row) {
    const int32_t length = cols / (1 + row % 16);
    for (int32_t i = 0; i < length; ++i) {
      const auto col = static_cast<int32_t>(int64_t{i} * cols / length);
      ratings.push_back({row, col, static_cast<float>(generator() % 9 + 1) * 0.5f});
    }
  }
  return rating_set("uneven", std::move(ratings), rows, cols);
}

inline RatingSet single_rating_set() { return rating_set("single rating", {{0, 0, 3.0f}}, 1, 1); }

inline const std::vector<RatingSet>& awkward_sets() {
  static const std::vector<RatingSet> sets{ragged_set(), long_row_set(), single_rating_set()};
  return sets;
}

inline const std::vector<int32_t>& awkward_ranks() {
  static const std::vector<int32_t> ranks{1, 10, 33, 100, 128};
  return ranks;
}

}  // namespace alsbench::testing
