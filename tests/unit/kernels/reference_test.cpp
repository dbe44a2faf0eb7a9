// SPDX-License-Identifier: Apache-2.0
// The oracle itself, on systems solved by hand.
#include "kernels/cpu/reference/reference.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

namespace alsbench::reference {
namespace {

// Two ratings of one row, rank 2: theta_0 = (1, 2), theta_1 = (3, 4); the second row is empty.
struct TinyProblem {
  std::array<int64_t, 3> offsets{0, 2, 2};
  std::array<int32_t, 2> indices{0, 1};
  std::array<float, 2> values{5, 6};
  std::array<float, 6> theta{1, 2, 0, 3, 4, 0};  // pitch 3
  RatingsView ratings{offsets.data(), nullptr, indices.data(), values.data(), 2, 2, 2};
  FactorsView factors{theta.data(), 2, 2, 3};
};

TEST(ReferenceTest, NormalEquationsByHand) {
  const TinyProblem tiny;
  EXPECT_EQ(normal_matrix(tiny.ratings, tiny.factors, 0.5f, 0), (Vector{11, 14, 14, 21}));
  EXPECT_EQ(right_hand_side(tiny.ratings, tiny.factors, 0), (Vector{23, 34}));
}

// Rank 1, theta_k = 2^k: which ratings were summed shows in A.
TEST(ReferenceTest, ARowOfAnyNumberOfRatingsIsSummedWhole) {
  const std::array<float, 9> theta{1, 2, 4, 8, 16, 32, 64, 128, 256}, values{};
  const std::array<int32_t, 9> indices{0, 1, 2, 3, 4, 5, 6, 7, 8};
  const FactorsView factors{const_cast<float*>(theta.data()), 9, 1, 1};
  double sum = 0;
  for (int64_t count = 1; count <= 9; ++count) {
    const std::array<int64_t, 2> offsets{0, count};
    sum += theta[count - 1] * theta[count - 1];
    const RatingsView ratings{offsets.data(), nullptr, indices.data(), values.data(), 1, 9, count};
    EXPECT_EQ(normal_matrix(ratings, factors, 0, 0), (Vector{sum})) << count;
  }
}

TEST(ReferenceTest, SumsAreRoundedToTheDigitsOfAHalfBesideTheDiagonal) {
  const double one = 1 + 0x1p-11, three = 1 + 3 * 0x1p-11;  // ties, to even
  EXPECT_EQ(with_rounded_sums({one + 0.25, 0x1p-30 * three, -three, 0.25}, 0.25),
            (Vector{1.25, 0x1p-30 * (1 + 0x1p-9), -1 - 0x1p-9, 0.25}));
  const double below_two = 2 - 0x1p-12;  // rounds up into the next power of two
  EXPECT_EQ(with_rounded_sums({below_two, 0, -0x1p60, below_two}, 0), (Vector{2, 0, -0x1p60, 2}));
  const double nan = -std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(with_rounded_sums({nan}, 0).front()));
}

TEST(ReferenceTest, AnEmptyRowIsTheIdentityAndZero) {
  const TinyProblem tiny;
  EXPECT_EQ(normal_matrix(tiny.ratings, tiny.factors, 0.5f, 1), (Vector{1, 0, 0, 1}));
  EXPECT_EQ(right_hand_side(tiny.ratings, tiny.factors, 1), (Vector{0, 0}));
}

TEST(ReferenceTest, CholeskyAndCgAgreeWithTheSolutionByHand) {
  const Vector a{4, 1, 1, 3}, b{1, 2};  // x = (1/11, 7/11)
  const Vector x = solve(a, b);
  EXPECT_NEAR(x[0], 1.0 / 11, 1e-15);
  EXPECT_NEAR(x[1], 7.0 / 11, 1e-15);
  const CgResult cg = conjugate_gradient(a, b, {2, 1}, {.steps = 2});
  EXPECT_EQ(cg.steps, 2);
  EXPECT_NEAR(cg.x[0], 1.0 / 11, 1e-12);
  EXPECT_NEAR(cg.x[1], 7.0 / 11, 1e-12);
}

TEST(ReferenceTest, CgOfAZeroSystemTakesNoStep) {
  const CgResult cg = conjugate_gradient({1, 0, 0, 1}, {0, 0}, {0, 0}, {.steps = 6});
  EXPECT_EQ(cg.steps, 0);
  EXPECT_EQ(cg.x, (Vector{0, 0}));
}

TEST(ReferenceTest, CgStopsAtTheRelativeTolerance) {
  const CgResult loose =
      conjugate_gradient({4, 1, 1, 3}, {1, 2}, {0, 0}, {.steps = 6, .tolerance = 0.5});
  EXPECT_EQ(loose.steps, 1);
  EXPECT_LE(loose.residual, 0.5 * std::sqrt(5.0));
}

// From zero, with d the diagonal: z = b / d, x = alpha z.
TEST(ReferenceTest, AStepOfJacobiGoesAlongTheResidualOverTheDiagonal) {
  const Vector a{4, 1, 1, 2}, b{4, 6};  // z = (1, 3), z A z = 28, b z = 22
  const CgResult cg = conjugate_gradient(a, b, {0, 0}, {.steps = 1, .diagonal = diagonal_of(a)});
  EXPECT_NEAR(cg.x[0], 22.0 / 28, 1e-15);
  EXPECT_NEAR(cg.x[1], 66.0 / 28, 1e-15);
}

// From zero, k steps give the x of span{z, W A z, ...} whose residual is orthogonal to it, with W =
// 1 / diagonal and z = W b.
TEST(ReferenceTest, TwoStepsOfJacobiAreTheGalerkinSolutionOfTheirSpace) {
  const Vector a{4, 1, -1, 1, 3, 0.5, -1, 0.5, 9}, b{1, -2, 5};
  const auto weighted = [&](Vector v) {
    for (size_t i = 0; i < v.size(); ++i) v[i] /= a[4 * i];
    return v;
  };
  const auto dot = [](const Vector& v, const Vector& w) {
    return v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
  };
  const Vector u = weighted(b), v = weighted(multiply(a, u));
  const Vector au = multiply(a, u), av = multiply(a, v);
  const Vector c = solve({dot(u, au), dot(u, av), dot(v, au), dot(v, av)}, {dot(u, b), dot(v, b)});
  const CgResult cg = conjugate_gradient(a, b, {0, 0, 0}, {.steps = 2, .diagonal = diagonal_of(a)});
  for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(cg.x[i], c[0] * u[i] + c[1] * v[i], 1e-14);
}

TEST(ReferenceTest, JacobiSolvesADiagonalSystemInOneStep) {
  const Vector a{4, 0, 0, 0.5}, b{1, 2};
  const CgResult cg = conjugate_gradient(a, b, {1, -1}, {.steps = 1, .diagonal = diagonal_of(a)});
  EXPECT_NEAR(cg.x[0], 0.25, 1e-15);
  EXPECT_NEAR(cg.x[1], 4, 1e-15);
}

TEST(ReferenceTest, AMatrixThatIsNotPositiveDefiniteGivesNan) {
  EXPECT_TRUE(std::isnan(solve({1, 2, 2, 1}, {1, 1})[0]));
}

TEST(ReferenceTest, SquaredErrorsUseTheMeanForColdCells) {
  TinyProblem tiny;
  const std::array<int64_t, 3> train_rows{0, 0, 1}, train_cols{0, 1, 2};
  RmseParams params;
  params.ratings = tiny.ratings;
  params.x = params.theta = tiny.factors;
  params.train_row_offsets = train_rows.data();  // row 0 has no training rating
  params.train_col_offsets = train_cols.data();
  params.mean = 4;
  const SquaredErrors errors = squared_errors(params, 0, 2);
  EXPECT_EQ(errors.cold, 2);
  EXPECT_DOUBLE_EQ(errors.sum, 1 + 4);
}

}  // namespace
}  // namespace alsbench::reference
