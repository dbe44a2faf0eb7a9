// SPDX-License-Identifier: Apache-2.0
// implicit_equations: every element of the checked rows. The error of A is relative to
// sqrt(ref_ii ref_jj), that of b to sum c |theta|.
// implicit_update: the solutions of the checked rows against CG in double on the equations of the
// same weighted rows, rounded as the variant has them.
#include <fmt/format.h>

#include <cmath>

#include "harness/stage/als/update_check.h"
#include "harness/stage/check.h"
#include "harness/stage/implicit/implicit_fixture.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "variants/als/parameters.h"

namespace alsbench {
namespace {

using reference::Vector;

// A weight is rounded as alpha r, as its square root and twice as the factor of a product: four
// roundings in addition to those of a sum, whose last term is the Gram matrix.
double tolerance_of(int64_t count) { return sum_tolerance(count + 1) + 4 * 0x1p-24; }

void compare(const ReferenceRow& row, const Vector& matrix, const Vector& bias, RowCheck& check) {
  const auto rank = static_cast<int64_t>(row.b.size());
  const Vector& a = row.a;
  check.tolerance = tolerance_of(row.count);
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j < rank; ++j) {
      const double scale = std::sqrt(a[i * (rank + 1)] * a[j * (rank + 1)]);
      check.element({"A", i, j}, matrix[i * rank + j], a[i * rank + j], scale);
    }
  for (int64_t i = 0; i < static_cast<int64_t>(bias.size()); ++i)
    check.element({"b", i}, bias[i], i < rank ? row.b[i] : 0, i < rank ? row.magnitude[i] : 0);
  for (int64_t i = 0; i < rank && !check.wrong(); ++i)
    for (int64_t j = 0; j < i; ++j)
      if (matrix[i * rank + j] != matrix[j * rank + i])
        return check.fail(fmt::format("A({}, {}) is {:.9g} but A({}, {}) is {:.9g}; A is symmetric",
                                      i, j, matrix[i * rank + j], j, i, matrix[j * rank + i]));
}

Verification check_implicit_equations(const CheckRequest& request) {
  auto& fixture = dynamic_cast<ImplicitFixture&>(request.fixture);
  const auto& rows = implicit_rows(request.references, fixture, Scalar::fp32);
  Tally tally;
  int64_t treated = -1;  // the first row of the batch in memory
  for (const ReferenceRow& row : rows) {
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

std::unique_ptr<StageFixture> make_implicit_equations(const FixtureRequest& request) {
  return std::make_unique<ImplicitFixture>(request,
                                           UpdateOperands{.matrices = true, .centred = true});
}

Verification check_implicit_update(const CheckRequest& request) {
  auto& fixture = dynamic_cast<ImplicitFixture&>(request.fixture);
  ReferenceCache& cache = request.references;
  return check_update(request, fixture,
                      {implicit_rows(cache, fixture, parameters::factors_type(request.config)),
                       implicit_rows(cache, fixture, Scalar::fp32),
                       [&fixture](int64_t count) { return fixture.diagonal(count); }});
}

std::unique_ptr<StageFixture> make_implicit_update(const FixtureRequest& request) {
  return std::make_unique<ImplicitFixture>(
      request,
      UpdateOperands{
          .solves = true, .rounds = true, .centred = true, .alpha = ImplicitFixture::kAlpha});
}

}  // namespace

StageSupport implicit_equations_support() {
  return {"implicit_equations", make_implicit_equations, check_implicit_equations};
}
StageSupport implicit_update_support() {
  return {"implicit_update", make_implicit_update, check_implicit_update};
}

}  // namespace alsbench
