// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/rating_weights.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace alsbench {
namespace {

// One row, a rating a column.
Csr row_of(std::vector<float> ratings) {
  const auto count = static_cast<int64_t>(ratings.size());
  std::vector<int32_t> indices;
  for (int32_t i = 0; i < count; ++i) indices.push_back(i);
  return {1, count, Array<int64_t>(std::vector<int64_t>{0, count}),
          Array<int32_t>(std::move(indices)), Array<float>(std::move(ratings))};
}

TEST(RatingWeights, ARatingNamesTheRowOfItsWeight) {
  const RatingWeights weights(row_of({5, 1, 5, 0, 2}), 10);
  ASSERT_EQ(weights.roots().count, 4);
  const std::vector<float> ratings{0, 1, 2, 5};
  for (size_t i = 0; i < ratings.size(); ++i) {
    const float root = std::sqrt(10 * ratings[i]);
    EXPECT_FLOAT_EQ(weights.roots().values[i], root);
    EXPECT_EQ(weights.row(7, ratings[i]), 4 * 7 + static_cast<int32_t>(i));
    EXPECT_FLOAT_EQ(weights.target(ratings[i]), root > 0 ? (1 + root * root) / root : 0);
  }
  EXPECT_FLOAT_EQ(weights.roots().largest(), std::sqrt(50.0f));
  EXPECT_FLOAT_EQ(weights.largest_target(), 51 / std::sqrt(50.0f));
}

TEST(RatingWeights, NoRatingsAreOneRowWithoutWeight) {
  const RatingWeights weights(row_of({}), 40);
  EXPECT_EQ(weights.roots().count, 1);
  EXPECT_EQ(weights.largest_target(), 0);
}

TEST(RatingWeights, TooManyDistinctRatingsAreRefused) {
  std::vector<float> ratings;
  for (int i = 0; i < 2 * Int8Weights::kMaxValue; ++i) ratings.push_back(static_cast<float>(i / 2));
  EXPECT_EQ(RatingWeights(row_of(ratings), 1).roots().count, Int8Weights::kMaxValue);
  ratings.push_back(0.5f);
  EXPECT_THROW(RatingWeights(row_of(ratings), 1), ObjectionError);
}

}  // namespace
}  // namespace alsbench
