// SPDX-License-Identifier: Apache-2.0
#include "harness/data/data_shape.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace alsbench {
namespace {

// The specification must agree with the generated set: to the rating in sizes, and to a rating or a
// tenth in the lengths that rows have.
TEST(DataShapes, OfAGeneratedSetNeedNoRatings) {
  DataRequest request;
  request.dataset = "ml-100k";
  request.scale = 0.5;
  const DataShapes said = data_shapes(request, 16);
  const DataShapes drawn = data_shapes(load_rating_set(request), 16);
  for (const Side side : {Side::x, Side::theta}) {
    const Shape &a = said.of(side), &b = drawn.of(side);
    EXPECT_EQ(a.rows, b.rows);
    EXPECT_EQ(a.cols, b.cols);
    EXPECT_EQ(a.nnz, b.nnz);
    EXPECT_EQ(a.rank, 16);
    for (size_t i = 1; i + 1 < a.row_length_quantiles.size(); ++i) {
      const auto expected = static_cast<double>(a.row_length_quantiles[i]);
      EXPECT_NEAR(expected, static_cast<double>(b.row_length_quantiles[i]),
                  2 + 0.1 * expected + std::sqrt(expected))
          << name_of(side) << " quantile " << i;
    }
  }
}

TEST(DataShapes, OfAScaledSetAreThoseOfTheSpecification) {
  DataRequest request;
  request.dataset = "netflix";
  const DataShapes shapes = data_shapes(request, 100);
  EXPECT_EQ(shapes.x.rows, 480189);
  EXPECT_EQ(shapes.theta.rows, 17770);
  EXPECT_EQ(shapes.x.nnz, shapes.theta.nnz);
  EXPECT_LE(shapes.x.longest_row(), 17770);
}

// Of many parts, with a zero of either sign, and where there are more than are asked for.
TEST(DistinctRatings, AreTheOnesThatThereAre) {
  std::vector<float> values(1000003);
  for (size_t i = 0; i < values.size(); ++i) values[i] = 0.5f * static_cast<float>(i * 7 % 10);
  values[777777] = -0.0f;
  values[999999] = 0x1p-140f;
  const std::vector<float> distinct = distinct_ratings(Array<float>(values), 32);
  EXPECT_EQ(distinct, (std::vector<float>{0, 0x1p-140f, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5}));
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  EXPECT_EQ(distinct_ratings(Array<float>(values), 32).size(), 33u);
  EXPECT_TRUE(distinct_ratings(Array<float>(std::vector<float>()), 32).empty());
}

}  // namespace
}  // namespace alsbench
