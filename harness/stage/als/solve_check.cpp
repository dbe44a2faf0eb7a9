// SPDX-License-Identifier: Apache-2.0
// solve and factorize_batched: the checked systems against A and b as the variant read them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/stage/als/system_check.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "variants/als/parameters.h"

namespace alsbench {
namespace {

using reference::Vector;
using System = CheckedSystem;

// A, b and the start of the checked rows, as the variant will read them. In half, A is A_u / n_u
// and b_u must be scaled alike.
std::vector<System> download_systems(StageFixture& fixture, const UpdateParams& params,
                                     Scalar storage, const std::vector<int64_t>& rows) {
  Device& device = fixture.problem().device();
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  const int64_t rank = params.solution.rank, elements = rank * rank;
  std::vector<System> systems(rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    systems[i].row = rows[i];
    systems[i].count = ratings.offsets[rows[i] + 1] - ratings.offsets[rows[i]];
  }
  const std::vector<int64_t> items = items_of(params, systems);
  std::vector<Vector> a =
      download_rows(device, {params.matrices, storage, elements, elements}, items);
  std::vector<Vector> b =
      download_rows(device, {params.bias, Scalar::fp32, params.solution.pitch, rank}, items);
  std::vector<Vector> starts = download_rows(device, solution_rows(params), rows);
  for (size_t i = 0; i < rows.size(); ++i) {
    System& system = systems[i];
    system.a = std::move(a[i]);
    system.b = std::move(b[i]);
    system.start = std::move(starts[i]);
    if (storage == Scalar::fp16 && system.count > 0)
      for (double& value : system.b) value /= static_cast<double>(system.count);
  }
  return systems;
}

// The largest error of L L^T, or of L U, against A in the scale of its entry. LAPACK's layout:
// column-major, so element (i, j) of a factor lies at j rank + i.
double cholesky_error(const Vector& factor, const Vector& a, int64_t rank, bool lower) {
  const auto l = [&](int64_t i, int64_t k) {
    return lower ? factor[k * rank + i] : factor[i * rank + k];
  };
  double worst = 0;
  for (int64_t i = 0; i < rank; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double product = 0;
      for (int64_t k = 0; k <= j; ++k) product += l(i, k) * l(j, k);
      const double scale = std::sqrt(a[i * rank + i] * a[j * rank + j]);
      const double error = std::abs(product - a[i * rank + j]) / scale;
      if (!(error <= worst)) worst = error;  // NaN too
    }
  return worst;
}

// Partial pivoting permutes the rows of A, and the permutation is not an output: each row of L U
// must be close to a row of A that no other row of L U is close to.
double lu_error(const Vector& factor, const Vector& a, int64_t rank) {
  std::vector<bool> taken(static_cast<size_t>(rank), false);
  double worst = 0;
  for (int64_t i = 0; i < rank; ++i) {
    Vector product(static_cast<size_t>(rank), 0.0);
    for (int64_t j = 0; j < rank; ++j)
      for (int64_t k = 0; k <= std::min(i, j); ++k)
        product[j] += (k == i ? 1.0 : factor[k * rank + i]) * factor[j * rank + k];
    double best = std::numeric_limits<double>::infinity();
    int64_t nearest = -1;
    for (int64_t row = 0; row < rank; ++row) {
      if (taken[row]) continue;
      double error = 0;
      for (int64_t j = 0; j < rank; ++j)
        error = std::max(error, std::abs(product[j] - a[row * rank + j]) /
                                    std::sqrt(a[row * rank + row] * a[j * rank + j]));
      if (error < best) {
        best = error;
        nearest = row;
      }
    }
    if (nearest < 0) return best;
    taken[nearest] = true;
    worst = std::max(worst, best);
  }
  return worst;
}

void check_factor(const System& system, const Vector& factor, bool cholesky, RowCheck& check) {
  const auto rank = static_cast<int64_t>(system.b.size());
  check.tolerance = solver_tolerance(static_cast<int32_t>(rank));
  for (size_t i = 0; i < factor.size() && !check.is_nan; ++i)
    if (!std::isfinite(factor[i]))
      check.element({"factor", static_cast<int64_t>(i)}, factor[i], 0, 1);
  if (check.is_nan) return;
  if (system.status != 0)
    return check.fail(fmt::format("status {} for a positive definite A", system.status));
  check.error = cholesky ? std::min(cholesky_error(factor, system.a, rank, true),
                                    cholesky_error(factor, system.a, rank, false))
                         : lu_error(factor, system.a, rank);
  check.detail = "the product of the factors is not A";
}

// The factors that the variant left in the place of A, and its status.
std::vector<Vector> download_factors(Device& device, const UpdateParams& params,
                                     std::vector<System>& systems) {
  const int64_t elements = int64_t{params.solution.rank} * params.solution.rank;
  const std::vector<int64_t> items = items_of(params, systems);
  const std::vector<int32_t> status = download_integers(device, params.status, items);
  for (size_t i = 0; i < systems.size(); ++i) systems[i].status = status[i];
  return download_rows(device, {params.matrices, Scalar::fp32, elements, elements}, items);
}

// Of a solver, or of what leaves the factors of A.
template <bool kSolves>
Verification check_systems(const CheckRequest& request) {
  auto& fixture = dynamic_cast<UpdateFixture&>(request.fixture);
  const DeviceProblem& problem = fixture.problem();
  Device& device = problem.device();
  Tally tally;
  const std::vector<int64_t> rows =
      rows_to_check(problem.host_ratings(fixture.side()), fixture.measured_rows(), problem.rank(),
                    request.references);
  if (rows.empty()) return tally.result();
  const UpdateParams params = fixture.update_params(0);
  const Scalar storage = kSolves ? parameters::matrices_type(request.config) : Scalar::fp32;
  fixture.restore(request.variant);
  std::vector<System> systems = download_systems(fixture, params, storage, rows);
  fixture.poison();
  if (kSolves && !starts_warm(request.config)) poison_solutions(device, params);
  request.executable.launch(params);
  std::vector<Vector> factors;
  if (kSolves)
    download_solutions(device, params, systems);
  else
    factors = download_factors(device, params, systems);
  fixture.restore(request.variant);
  const auto what = [&](size_t i) { return describe(systems[i]); };
  tally.add_all(systems.size(), what, [&](size_t i, RowCheck& check) {
    System& system = systems[i];
    if (!kSolves)
      return check_factor(system, factors[i], request.variant.name == "cholesky", check);
    const double ratings = static_cast<double>(storage == Scalar::fp16 ? 1 : system.count);
    if (system.count > 0) system.diagonal = problem.lambda() * ratings;
    check_system(request.variant, request.config, system, check);
  });
  return tally.result();
}

template <bool kSolves>
std::unique_ptr<StageFixture> make_system(const FixtureRequest& request) {
  return std::make_unique<UpdateFixture>(
      request, UpdateOperands{.matrices = true, .systems = true, .solves = kSolves});
}

}  // namespace

StageSupport solve_support() {
  return {"solve", make_system<true>, check_systems<true>, steps_to_systems};
}
StageSupport factorize_batched_support() {
  return {"factorize_batched", make_system<false>, check_systems<false>, steps_to_systems};
}

}  // namespace alsbench
