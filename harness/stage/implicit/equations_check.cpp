// SPDX-License-Identifier: Apache-2.0
// implicit_equations: every element of the checked rows. The error of A is relative to
// sqrt(ref_ii ref_jj), that of b to sum c |theta|.
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "harness/stage/als/update_fixture.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/first_error.h"
#include "kernels/cpu/reference/implicit.h"

namespace alsbench {
namespace {

using reference::ImplicitRow;
using reference::Vector;

constexpr float kAlpha = 4;

// The Gram matrix of a side's factors, summed in double on the host.
std::vector<float> gram_of(const FactorMatrix& factors) {
  const std::vector<float> values = factors.download();
  const auto rank = static_cast<size_t>(factors.view().rank);
  Vector sums(rank * rank, 0.0);
  for (size_t row = 0; row * rank < values.size(); ++row)
    for (size_t i = 0; i < rank; ++i)
      for (size_t j = 0; j < rank; ++j)
        sums[i * rank + j] += double{values[row * rank + i]} * double{values[row * rank + j]};
  return std::vector<float>(sums.begin(), sums.end());
}

// Lambda is plain where X is updated and weighted where Theta is, so that both are checked.
class ImplicitFixture : public UpdateFixture {
 public:
  explicit ImplicitFixture(const FixtureRequest& request)
      : UpdateFixture(request, UpdateOperands{.matrices = true}),
        host_gram_(gram_of(initial(other(side()), request.seed))),
        gram_(device().allocate(static_cast<int64_t>(host_gram_.size()) * 4)) {
    device().upload(gram_.data(), host_gram_.data(), gram_.bytes());
  }
  StageParams params(int64_t first_row) const override { return implicit_params(first_row); }
  ImplicitParams implicit_params(int64_t first_row) const {
    return {update_params(first_row), gram_.as<float>(), kAlpha, side() == Side::theta ? 1 : 0};
  }
  const float* host_gram() const { return host_gram_.data(); }

 private:
  std::vector<float> host_gram_;
  Buffer gram_;
};

struct CheckedRow {
  int64_t row = 0, count = 0;
  ImplicitRow expected;
};

ImplicitRow expected_row(const ImplicitFixture& fixture, const FactorReader::Row& inputs) {
  const std::array<int64_t, 2> offsets{0, inputs.count()};
  ImplicitParams params = fixture.implicit_params(0);
  params.gram = fixture.host_gram();
  params.update.ratings = {offsets.data(),       nullptr, inputs.indices.data(),
                           inputs.values.data(), 1,       inputs.count(),
                           inputs.count()};
  params.update.factors = {const_cast<float*>(inputs.factors.data()), inputs.count(), inputs.rank,
                           inputs.rank};
  return reference::implicit_row(params, 0);
}

std::vector<CheckedRow> expected_rows(const ImplicitFixture& fixture, int64_t sampled) {
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  const FactorReader factors(fixture.problem().device(), fixture.fixed_factors(), Scalar::fp32);
  std::vector<CheckedRow> rows;
  for (const int64_t row :
       rows_to_check(ratings, fixture.measured_rows(), fixture.problem().rank(), sampled))
    rows.push_back({row, ratings.offsets[row + 1] - ratings.offsets[row], {}});
  FirstError error;
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < rows.size(); ++i)
    error.run([&] { rows[i].expected = expected_row(fixture, factors.row(ratings, rows[i].row)); });
  error.rethrow();
  return rows;
}

// A weight is rounded as alpha r, as its square root and twice as the factor of a product: four
// roundings beside those of a sum, whose last term is the Gram matrix.
double tolerance_of(int64_t count) { return sum_tolerance(count + 1) + 4 * 0x1p-24; }

void compare(const CheckedRow& row, const Vector& matrix, const Vector& bias, RowCheck& check) {
  const auto rank = static_cast<int64_t>(row.expected.b.size());
  const Vector& a = row.expected.a;
  check.tolerance = tolerance_of(row.count);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j < rank; ++j) {
      const double scale = std::sqrt(a[i * (rank + 1)] * a[j * (rank + 1)]);
      check.element({"A", i, j}, matrix[i * rank + j], a[i * rank + j], scale);
    }
  for (int64_t i = 0; i < static_cast<int64_t>(bias.size()); ++i)
    check.element({"b", i}, bias[i], i < rank ? row.expected.b[i] : 0,
                  i < rank ? row.expected.magnitude[i] : 0);
  for (int64_t i = 0; i < rank && !check.wrong(); ++i)
    for (int64_t j = 0; j < i; ++j)
      if (matrix[i * rank + j] != matrix[j * rank + i])
        return check.fail(fmt::format("A({}, {}) is {:.9g} but A({}, {}) is {:.9g}; A is symmetric",
                                      i, j, matrix[i * rank + j], j, i, matrix[j * rank + i]));
}

Verification check(const CheckRequest& request) {
  auto& fixture = dynamic_cast<ImplicitFixture&>(request.fixture);
  const auto& rows = request.references.get<std::vector<CheckedRow>>(
      fmt::format("implicit/{}", name_of(fixture.side())),
      [&] { return expected_rows(fixture, request.references.sampled()); });
  Tally tally;
  int64_t treated = -1;  // the first row of the batch in memory
  for (const CheckedRow& row : rows) {
    const int64_t batch = fixture.update_params(0).row_count;
    const ImplicitParams params = fixture.implicit_params(row.row / batch * batch);
    if (params.update.first_row != treated) {
      fixture.poison();
      request.executable.launch(params);
      treated = params.update.first_row;
    }
    const int64_t item = row.row - treated, pitch = params.update.solution.pitch;
    const int64_t elements = int64_t{params.update.factors.rank} * params.update.factors.rank;
    RowCheck checked;
    compare(
        row,
        download_values(request.device(), params.update.matrices, item * elements, elements,
                        Scalar::fp32),
        download_values(request.device(), params.update.bias, item * pitch, pitch, Scalar::fp32),
        checked);
    tally.add(fmt::format("row {} ({} ratings)", row.row, row.count), checked);
  }
  return tally.result();
}

}  // namespace

StageSupport implicit_equations_support() {
  return {"implicit_equations", make<ImplicitFixture>, check};
}

}  // namespace alsbench
