// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/sketch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/cpu/blas.h"

namespace alsbench {
namespace {

using Matrix = std::vector<double>;  // square; LAPACK's columns are rows here

// Of a matrix in float that is singular, rounding alone may make the factorisation fail: so much is
// added to the diagonal, relative to its mean.
constexpr double kRidge = 1e-5;

double trace(const Matrix& matrix, int rank) {
  double sum = 0;
  for (int i = 0; i < rank; ++i) sum += matrix[static_cast<size_t>(i) * rank + i];
  return sum;
}

// gram = U' U, and U is inverted in place: upper by columns.
bool invert_cholesky(Matrix& gram, int rank) {
  const double ridge = kRidge * trace(gram, rank) / rank;
  for (int i = 0; i < rank; ++i) gram[static_cast<size_t>(i) * rank + i] += ridge;
  int info = 0;
  blas().dpotrf_("U", &rank, gram.data(), &rank, &info);
  if (info == 0) blas().dtrtri_("U", "N", &rank, gram.data(), &rank, &info);
  return info == 0;
}

}  // namespace

bool sketch_basis(const SketchGrams& grams, float* basis) {
  const int rank = grams.rank;
  const size_t elements = static_cast<size_t>(rank) * rank;
  Matrix inverse(grams.gram, grams.gram + elements);
  Matrix scaled(grams.products, grams.products + elements);
  const auto finite = [](double value) { return std::isfinite(value); };
  if (!std::all_of(inverse.begin(), inverse.end(), finite) ||
      !std::all_of(scaled.begin(), scaled.end(), finite) || !(trace(inverse, rank) > 0))
    return false;
  const SingleThreadedBlas single;  // its bits are then always the same
  if (!invert_cholesky(inverse, rank)) return false;
  // the diagonal of B' P B, from P B
  blas().cblas_dtrmm(CblasColMajor, CblasRight, CblasUpper, CblasNoTrans, CblasNonUnit, rank, rank,
                     1, inverse.data(), rank, scaled.data(), rank);
  double square = 0;
  for (int64_t j = 0; j + 1 < rank; ++j)
    square += blas().cblas_ddot(static_cast<int>(j + 1), inverse.data() + j * rank, 1,
                                scaled.data() + j * rank, 1);
  if (rank > 1 && !(square > 0)) return false;
  const double scale = rank > 1 ? grams.row_norm * std::sqrt(grams.weight / square) : 0;
  std::fill_n(basis, elements, 0.0f);
  for (int64_t j = 0; j + 1 < rank; ++j)
    for (int64_t i = 0; i <= j; ++i)
      basis[i * rank + j + 1] = static_cast<float>(scale * inverse[j * rank + i]);
  return true;
}

}  // namespace alsbench
