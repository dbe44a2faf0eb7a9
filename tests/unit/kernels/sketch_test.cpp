// SPDX-License-Identifier: Apache-2.0
// The basis of a sketch, against plain sums.
#include "kernels/cpu/sketch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace alsbench {
namespace {

using Matrix = std::vector<float>;  // row-major

Matrix random_matrix(int rows, int columns, uint32_t seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<float> uniform(-1, 1);
  Matrix matrix(static_cast<size_t>(rows) * columns);
  for (float& value : matrix) value = uniform(generator);
  return matrix;
}

Matrix product(const Matrix& a, const Matrix& b, int rows, int inner, int columns) {
  Matrix c(static_cast<size_t>(rows) * columns, 0.0f);
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k)
      for (int j = 0; j < columns; ++j) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  return c;
}

Matrix gram_of(const Matrix& a, int rows, int rank) {
  Matrix gram(static_cast<size_t>(rank) * rank, 0.0f);
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < rank; ++i)
      for (int j = 0; j < rank; ++j) gram[i * rank + j] += a[row * rank + i] * a[row * rank + j];
  return gram;
}

constexpr int kColumns = 6, kRows = 40;

TEST(SketchBasis, MakesTheColumnsOrthogonalAndScalesTheProducts) {
  const Matrix x = random_matrix(kRows, kColumns, 1), y = random_matrix(kRows, kColumns, 2);
  const Matrix grams[] = {gram_of(x, kRows, kColumns), gram_of(y, kRows, kColumns)};
  Matrix basis(kColumns * kColumns, std::nanf(""));
  constexpr double kWeight = 300, kRowNorm = 2;
  ASSERT_TRUE(
      sketch_basis({grams[0].data(), grams[1].data(), kColumns, kWeight, kRowNorm}, basis.data()));
  const Matrix xb = product(x, basis, kRows, kColumns, kColumns);
  const Matrix orthogonal = gram_of(xb, kRows, kColumns);
  for (int i = 0; i < kColumns; ++i)
    for (int j = 0; j < kColumns; ++j) {
      const float scale = orthogonal[kColumns + 1];
      const float expected = i == j && i > 0 ? scale : 0;
      EXPECT_NEAR(orthogonal[i * kColumns + j], expected, 1e-3f * scale) << i << ", " << j;
    }
  double square = 0;
  for (const float value : product(y, basis, kRows, kColumns, kColumns)) square += value * value;
  EXPECT_NEAR(square, kRowNorm * kRowNorm * kWeight, 1e-3 * square);
}

TEST(SketchBasis, OfARankBelowTheNumberOfColumnsIsFinite) {
  const Matrix x = random_matrix(3, kColumns, 1), y = random_matrix(kRows, kColumns, 2);
  const Matrix grams[] = {gram_of(x, 3, kColumns), gram_of(y, kRows, kColumns)};
  Matrix basis(kColumns * kColumns);
  ASSERT_TRUE(sketch_basis({grams[0].data(), grams[1].data(), kColumns, 100, 1}, basis.data()));
  for (const float value : basis) EXPECT_TRUE(std::isfinite(value));
}

TEST(SketchBasis, IsRefusedWhereThereIsNothingOrTooMuch) {
  const Matrix none(kColumns * kColumns, 0.0f),
      some = gram_of(random_matrix(kRows, kColumns, 1), kRows, kColumns);
  Matrix infinite = some;
  infinite[3] = std::numeric_limits<float>::infinity();
  Matrix basis(kColumns * kColumns, 7.0f);
  for (const auto& [gram, products] :
       {std::pair{&none, &some}, {&some, &none}, {&infinite, &some}, {&some, &infinite}})
    EXPECT_FALSE(sketch_basis({gram->data(), products->data(), kColumns, 100, 1}, basis.data()));
  EXPECT_EQ(basis, Matrix(kColumns * kColumns, 7.0f));
}

}  // namespace
}  // namespace alsbench
