// SPDX-License-Identifier: Apache-2.0
#include "harness/data/data_shape.h"

#include <gtest/gtest.h>

#include <cmath>

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

}  // namespace
}  // namespace alsbench
