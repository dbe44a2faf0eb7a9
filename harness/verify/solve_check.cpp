// solve and factorize_batched: the checked systems against A and b as the variant read them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "harness/verify/check.h"
#include "harness/verify/tolerance.h"

namespace alsbench {
namespace {

using reference::Vector;

// One system with its inputs, its output and what the variant recorded.
struct System {
  int64_t row = 0;
  int64_t count = 0;  // n_u
  Vector a, b, start, x;
  int32_t steps = 0, status = 0;
};

int32_t download_int(Device& device, const int32_t* source, int64_t item) {
  int32_t value = 0;
  if (source != nullptr) device.download(&value, source + item, sizeof(value));
  return value;
}

std::string describe(const System& system) {
  return fmt::format("row {} ({} ratings)", system.row, system.count);
}

double residual_norm(const System& system) {
  Vector r = reference::multiply(system.a, system.x);
  for (size_t i = 0; i < r.size(); ++i) r[i] = system.b[i] - r[i];
  return reference::norm(r);
}

void set_wrong(RowCheck& check, std::string detail) {
  check.error = std::numeric_limits<double>::infinity();
  check.detail = std::move(detail);
}

bool starts_warm(const Config& config) { return config.has("steps") && !config.is("warm", "off"); }

// Solutions become NaN, so that an unwritten one is seen; restore() puts the warm start back.
void poison_solutions(Device& device, const UpdateParams& params) {
  const int64_t pitch_bytes = int64_t{params.solution.pitch} * 4;
  device.fill(static_cast<char*>(params.solution.data) + params.first_row * pitch_bytes, 0xFF,
              params.row_count * pitch_bytes);
}

// A non-finite element of x, or nothing.
bool found_nan(const System& system, RowCheck& check) {
  for (size_t i = 0; i < system.x.size() && !check.is_nan; ++i)
    if (!std::isfinite(system.x[i]))
      check.element({"x", static_cast<int64_t>(i)}, system.x[i], 0, 1);
  return check.is_nan;
}

void check_direct(const System& system, RowCheck& check) {
  check.tolerance = solver_tolerance(static_cast<int32_t>(system.b.size()));
  if (found_nan(system, check)) return;
  if (system.status != 0)
    return set_wrong(check, fmt::format("status {} for a positive definite A", system.status));
  const double residual = residual_norm(system), b = reference::norm(system.b);
  const double scale = reference::norm(system.a) * reference::norm(system.x) + b;
  check.error = scale > 0 ? residual / scale : 0;
  check.residual = b > 0 ? residual / b : residual;
  check.detail = fmt::format("||b - A x|| is {:.3g}, ||b|| is {:.3g}", residual, b);
}

struct CgRule {
  int steps = 0;
  double tolerance = 0;
  bool warm = true;
  bool records_steps = true;
};

double distance(const Vector& a, Vector b) {
  for (size_t i = 0; i < b.size(); ++i) b[i] -= a[i];
  return reference::norm(b);
}

// How far plain float CG leaves the reference on this system: the largest of several orders of the
// coordinates, since one may be lucky.
double float_departure(const System& system, const Vector& start,
                       const reference::CgResult& expected) {
  const size_t rank = system.b.size();
  constexpr int kOrders = 3;
  std::mt19937 generator(1);
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  double largest = 0;
  for (int trial = 0; trial < kOrders; ++trial) {
    Vector a(rank * rank), b(rank), x0(rank), x(rank);
    for (size_t i = 0; i < rank; ++i) {
      b[i] = system.b[order[i]];
      x0[i] = start[order[i]];
      for (size_t j = 0; j < rank; ++j) a[i * rank + j] = system.a[order[i] * rank + order[j]];
    }
    const Vector shuffled = reference::conjugate_gradient_in_float(a, b, x0, expected.steps);
    for (size_t i = 0; i < rank; ++i) x[order[i]] = shuffled[i];
    largest = std::max(largest, distance(expected.x, x));
    std::shuffle(order.begin(), order.end(), generator);
  }
  return largest;
}

// Whether CG stopped where its rule says; `slack` is how far ||r|| may be from the reference's.
void check_stop(const CgRule& rule, const reference::CgResult& expected, double b, double slack,
                RowCheck& check) {
  const double enough = rule.tolerance * b;
  if (expected.steps < rule.steps && expected.residual > enough + slack)
    set_wrong(check, fmt::format("stopped after {} of {} steps at ||r|| = {:.3g}, ||b|| = {:.3g}",
                                 expected.steps, rule.steps, expected.residual, b));
  if (expected.steps > 0 && expected.previous_residual < enough - slack)
    set_wrong(check, fmt::format("went on to step {} from ||r|| = {:.3g}, ||b|| = {:.3g}",
                                 expected.steps, expected.previous_residual, b));
}

// CG in double takes as many steps as the variant says it took; whether that number is right is the
// second question.
void check_cg(const System& system, const CgRule& rule, double smallest_eigenvalue,
              RowCheck& check) {
  if (found_nan(system, check)) return;
  if (system.count == 0) {  // zero by definition, whatever the warm start
    check.error = reference::norm(system.x);
    check.detail = fmt::format("an empty row has ||x|| = {:.3g}, not 0", check.error);
    return;
  }
  const int steps = rule.records_steps ? system.steps : rule.steps;
  if (steps < 0 || steps > rule.steps)
    return set_wrong(check, fmt::format("{} steps recorded of at most {}", steps, rule.steps));
  const Vector start = rule.warm ? system.start : Vector(system.b.size(), 0.0);
  const reference::CgResult expected =
      reference::conjugate_gradient(system.a, system.b, start, steps, 0);
  // relative to where CG started too: the solution may be zero while the start is not
  const double scale = std::max(reference::norm(expected.x), reference::norm(start));
  const double error = distance(expected.x, system.x);
  const double a = reference::norm(system.a), b = reference::norm(system.b);
  if (scale > 0)
    check.tolerance = cg_tolerance(a / smallest_eigenvalue, steps,
                                   float_departure(system, start, expected) / scale);
  check.error = error == 0 ? 0 : error / scale;
  check.residual = b > 0 ? residual_norm(system) / b : residual_norm(system);
  check.cg_steps = steps;
  check.detail = fmt::format("||x - reference|| is {:.3g}, ||reference|| is {:.3g} after {} steps",
                             error, reference::norm(expected.x), steps);
  if (!check.wrong()) check_stop(rule, expected, b, check.tolerance * a * scale, check);
}

// A, b and the start of the checked rows, as the variant will read them. In half, A is A_u / n_u
// and b_u must be scaled alike.
std::vector<System> download_systems(StageFixture& fixture, const UpdateParams& params,
                                     Scalar storage, const std::vector<int64_t>& rows) {
  Device& device = fixture.problem().device();
  const Csr& ratings = fixture.problem().host_ratings(fixture.side());
  const int64_t rank = params.solution.rank, pitch = params.solution.pitch;
  std::vector<System> systems;
  for (const int64_t row : rows) {
    System system;
    system.row = row;
    system.count = ratings.offsets[row + 1] - ratings.offsets[row];
    system.a = download_values(device, params.matrices, (row - params.first_row) * rank * rank,
                               rank * rank, storage);
    system.b =
        download_values(device, params.bias, (row - params.first_row) * pitch, rank, Scalar::fp32);
    system.start = download_values(device, params.solution.data, row * pitch, rank, Scalar::fp32);
    if (storage == Scalar::fp16 && system.count > 0)
      for (double& value : system.b) value /= static_cast<double>(system.count);
    systems.push_back(std::move(system));
  }
  return systems;
}

void download_solutions(Device& device, const UpdateParams& params, std::vector<System>& systems) {
  for (System& system : systems) {
    system.x = download_values(device, params.solution.data, system.row * params.solution.pitch,
                               params.solution.rank, Scalar::fp32);
    system.steps = download_int(device, params.steps, system.row - params.first_row);
    system.status = download_int(device, params.status, system.row - params.first_row);
  }
}

void check_system(const Variant& variant, const Config& config, const System& system,
                  double smallest_eigenvalue, RowCheck& check) {
  if (!config.has("steps")) return check_direct(system, check);
  CgRule rule;
  rule.steps = config.integer("steps");
  rule.tolerance = config.has("tolerance") ? config.number("tolerance") : 0;
  rule.warm = starts_warm(config);
  rule.records_steps = variant.measures_cg_steps;
  check_cg(system, rule, smallest_eigenvalue, check);
}

// The largest error of L L^T, or of L U, against A in the scale of its entry. LAPACK's layout:
// column-major, so that element (i, j) of a factor lies at j rank + i.
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
    return set_wrong(check, fmt::format("status {} for a positive definite A", system.status));
  check.error = cholesky ? std::min(cholesky_error(factor, system.a, rank, true),
                                    cholesky_error(factor, system.a, rank, false))
                         : lu_error(factor, system.a, rank);
  check.detail = "the product of the factors is not A";
}

}  // namespace

Verification check_solve(StageFixture& fixture, const Variant& variant, const Config& config,
                         Executable& executable, int64_t sampled_rows) {
  const DeviceProblem& problem = fixture.problem();
  Device& device = problem.device();
  Tally tally;
  const std::vector<int64_t> rows = rows_to_check(
      problem.host_ratings(fixture.side()), fixture.measured_rows(), problem.rank(), sampled_rows);
  if (rows.empty()) return tally.result();
  const auto params = std::get<UpdateParams>(fixture.params(0));
  const Scalar storage = matrices_storage(config);
  fixture.restore(variant);
  std::vector<System> systems = download_systems(fixture, params, storage, rows);
  fixture.poison();
  if (!starts_warm(config)) poison_solutions(device, params);
  executable.launch(params);
  download_solutions(device, params, systems);
  fixture.restore(variant);
  std::vector<RowCheck> checks(systems.size());
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < systems.size(); ++i) {
    const double ratings = static_cast<double>(storage == Scalar::fp16 ? 1 : systems[i].count);
    const double smallest = systems[i].count > 0 ? double{problem.lambda()} * ratings : 1.0;
    check_system(variant, config, systems[i], smallest, checks[i]);
  }
  for (size_t i = 0; i < systems.size(); ++i) tally.add(describe(systems[i]), checks[i]);
  return tally.result();
}

Verification check_factorization(StageFixture& fixture, const Variant& variant,
                                 Executable& executable, int64_t sampled_rows) {
  const DeviceProblem& problem = fixture.problem();
  Tally tally;
  const std::vector<int64_t> rows = rows_to_check(
      problem.host_ratings(fixture.side()), fixture.measured_rows(), problem.rank(), sampled_rows);
  if (rows.empty()) return tally.result();
  const auto params = std::get<UpdateParams>(fixture.params(0));
  const int64_t elements = int64_t{problem.rank()} * problem.rank();
  fixture.restore(variant);
  std::vector<System> systems = download_systems(fixture, params, Scalar::fp32, rows);
  fixture.poison();
  executable.launch(params);
  std::vector<Vector> factors;
  for (System& system : systems) {
    const int64_t item = system.row - params.first_row;
    factors.push_back(download_values(problem.device(), params.matrices, item * elements, elements,
                                      Scalar::fp32));
    system.status = download_int(problem.device(), params.status, item);
  }
  fixture.restore(variant);
  std::vector<RowCheck> checks(systems.size());
#pragma omp parallel for schedule(dynamic)
  for (size_t i = 0; i < systems.size(); ++i)
    check_factor(systems[i], factors[i], variant.name == "cholesky", checks[i]);
  for (size_t i = 0; i < systems.size(); ++i) tally.add(describe(systems[i]), checks[i]);
  return tally.result();
}

}  // namespace alsbench
