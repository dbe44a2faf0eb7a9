// SPDX-License-Identifier: Apache-2.0
// gram and rotate: elements of the Gram matrix, and checked rows of the rotated factors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/basis.h"

namespace alsbench {
namespace {

using Vector = std::vector<double>;

class GramFixture : public StageFixture {
 public:
  explicit GramFixture(const FixtureRequest& request)
      : StageFixture(request),
        factors_(initial(side(), request.seed)),
        gram_(device().allocate(int64_t{4} * shape_.rank * shape_.rank)) {}
  void poison() override { fill_with_nan(gram_); }
  StageParams params(int64_t) const override {
    return GramParams{problem().ratings(side()), factors_.view(), gram_.as<float>()};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{region_of("offsets of ratings", problem().ratings(side()).offsets,
                       8 * (shape_.rows + 1), Numbers::other),
             rows_of("factors", factors_.view())},
            {region_of("G", gram_, Numbers::fp32)},
            {rows_axis(factors_.view())}};
  }

 private:
  const FactorMatrix& factors_;
  Buffer gram_;
};

// Rows of the Gram matrix to check: all, or of large problems every so-manieth.
std::vector<int64_t> gram_rows(const Csr& ratings, int64_t rank) {
  constexpr double kMaxTerms = 1e9;
  const double terms = static_cast<double>(ratings.rows) * static_cast<double>(rank * rank);
  const int64_t stride = std::max<int64_t>(1, static_cast<int64_t>(std::ceil(terms / kMaxTerms)));
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < rank; i += stride) rows.push_back(i);
  return rows;
}

// Sum over the rows of n_j y_j(i) y_j(column) for every column.
Vector expected_row(const Csr& ratings, const Vector& factors, int64_t rank, int64_t i) {
  Vector sums(static_cast<size_t>(rank), 0.0);
  for (int64_t row = 0; row < ratings.rows; ++row) {
    const double* y = factors.data() + row * rank;
    const double weight = static_cast<double>(ratings.offsets[row + 1] - ratings.offsets[row]);
    for (int64_t j = 0; j < rank; ++j) sums[j] += weight * y[i] * y[j];
  }
  return sums;
}

Vector expected_diagonal(const Csr& ratings, const Vector& factors, int64_t rank) {
  Vector sums(static_cast<size_t>(rank), 0.0);
  for (int64_t row = 0; row < ratings.rows; ++row) {
    const double weight = static_cast<double>(ratings.offsets[row + 1] - ratings.offsets[row]);
    for (int64_t j = 0; j < rank; ++j)
      sums[j] += weight * factors[row * rank + j] * factors[row * rank + j];
  }
  return sums;
}

// The factors without their padding.
Vector dense(Device& device, const FactorsView& factors) {
  const Vector padded =
      download_values(device, factors.data, 0, factors.rows * factors.pitch, Scalar::fp32);
  Vector values(static_cast<size_t>(factors.rows * factors.rank));
  for (int64_t row = 0; row < factors.rows; ++row)
    std::copy_n(padded.begin() + row * factors.pitch, factors.rank,
                values.begin() + row * factors.rank);
  return values;
}

Verification check_gram(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<GramParams>();
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  const int64_t rank = params.factors.rank;
  fixture.poison();
  request.executable.launch(params);
  const Vector found = download_values(request.device(), params.gram, 0, rank * rank, Scalar::fp32);
  const Vector factors = dense(request.device(), params.factors);
  const Vector diagonal = expected_diagonal(ratings, factors, rank);
  const std::vector<int64_t> rows = gram_rows(ratings, rank);
  const auto what = [&](size_t at) { return fmt::format("row {} of the Gram matrix", rows[at]); };
  Tally tally;
  tally.add_all(rows.size(), what, [&](size_t at, RowCheck& check) {
    const int64_t i = rows[at];
    const Vector expected = expected_row(ratings, factors, rank, i);
    check.tolerance = sum_tolerance(ratings.rows);
    for (int64_t j = 0; j < rank; ++j) {
      const double scale = std::sqrt(diagonal[i] * diagonal[j]);
      check.element({"G", i, j}, found[i * rank + j], expected[j], scale);
      check.element({"G", j, i}, found[j * rank + i], expected[j], scale);
    }
  });
  return tally.result();
}

class RotateFixture : public StageFixture {
 public:
  explicit RotateFixture(const FixtureRequest& request)
      : StageFixture(request),
        source_(initial(side(), request.seed)),
        target_(device(), shape_.rows, shape_.rank),
        basis_(device().allocate(int64_t{4} * shape_.rank * shape_.rank)) {
    const std::vector<float> basis = random_basis(shape_.rank, request.seed);
    device().upload(basis_.data(), basis.data(), basis_.bytes());
  }
  void poison() override { device().fill(target_.view().data, 0xFF, target_.bytes()); }
  StageParams params(int64_t) const override {
    return RotateParams{source_.view(), target_.view(), basis_.as<float>()};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{rows_of("factors", source_.view()), region_of("basis", basis_)},
            {rows_of("x", target_.view())},
            {rows_axis(source_.view())}};
  }

 private:
  // The eigenvectors of a random symmetric matrix.
  static std::vector<float> random_basis(int32_t rank, uint64_t seed) {
    std::mt19937_64 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> matrix(static_cast<size_t>(rank) * rank), basis(matrix.size());
    for (float& value : matrix) value = normal(generator);
    eigenvectors(matrix.data(), rank, basis.data());  // reads one triangle alone
    return basis;
  }

  const FactorMatrix& source_;
  FactorMatrix target_;
  Buffer basis_;
};

Verification check_rotate(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  Device& device = request.device();
  const auto params = fixture.params(0).as<RotateParams>();
  const int64_t rank = params.source.rank;
  fixture.poison();
  request.executable.launch(params);
  const Vector basis = download_values(device, params.basis, 0, rank * rank, Scalar::fp32);
  return check_rows(request, [&](int64_t row) {
    const auto read = [&](const FactorsView& factors) {
      return download_values(device, factors.data, row * factors.pitch, rank, Scalar::fp32);
    };
    const Vector source = read(params.source), found = read(params.target);
    RowCheck check;
    check.tolerance = sum_tolerance(rank);
    for (int64_t j = 0; j < rank; ++j) {
      double sum = 0, magnitude = 0;
      for (int64_t k = 0; k < rank; ++k) {
        sum += source[k] * basis[k * rank + j];
        magnitude += std::abs(source[k] * basis[k * rank + j]);
      }
      check.element({"x", j}, found[j], sum, magnitude);
    }
    return check;
  });
}

}  // namespace

StageSupport gram_support() { return {"gram", make<GramFixture>, check_gram}; }
StageSupport rotate_support() { return {"rotate", make<RotateFixture>, check_rotate}; }

}  // namespace alsbench
