// SPDX-License-Identifier: Apache-2.0
#include "harness/stage/als/system_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "harness/stage/tolerance.h"
#include "variants/als/parameters.h"

namespace alsbench {
namespace {

using reference::Vector;
using System = CheckedSystem;

double residual_norm(const System& system) {
  Vector r = reference::multiply(system.a, system.x);
  for (size_t i = 0; i < r.size(); ++i) r[i] = system.b[i] - r[i];
  return reference::norm(r);
}

// A non-finite element of x, or nothing.
bool found_nan(const System& system, RowCheck& check) {
  for (size_t i = 0; i < system.x.size() && !check.is_nan; ++i)
    if (!std::isfinite(system.x[i]))
      check.element({"x", static_cast<int64_t>(i)}, system.x[i], 0, 1);
  return check.is_nan;
}

void check_direct(const System& system, RowCheck& check) {
  check.tolerance = solver_tolerance(static_cast<int32_t>(system.b.size())) + system.input_error;
  if (found_nan(system, check)) return;
  if (system.status != 0)
    return check.fail(fmt::format("status {} for a positive definite A", system.status));
  const double residual = residual_norm(system), b = reference::norm(system.b);
  const double scale = reference::norm(system.a) * reference::norm(system.x) + b;
  check.error = scale > 0 ? residual / scale : 0;
  check.residual = b > 0 ? residual / b : residual;
  check.detail = fmt::format("||b - A x|| is {:.3g}, ||b|| is {:.3g}", residual, b);
}

struct CgRule {
  CgOptions options;
  bool records_steps = true;
};

int steps_taken(const CgRule& rule, const System& system) {
  return rule.records_steps ? system.steps : rule.options.steps;
}

double distance(const Vector& a, Vector b) {
  for (size_t i = 0; i < b.size(); ++i) b[i] -= a[i];
  return reference::norm(b);
}

// A as a variant multiplies by it.
Vector as_stored(const System& system, Vector a) {
  if (system.storage != Scalar::fp16) return a;
  if (system.scales.empty()) return reference::with_rounded_sums(std::move(a), system.diagonal);
  return reference::with_rounded_multiples(std::move(a), system.diagonal, system.scales,
                                           system.unit);
}

// Variation of one trial of plain float CG: the order of the coordinates, and errors of standard
// deviation 1 of b and of A's lower triangle, row by row.
struct Perturbation {
  std::vector<size_t> order;
  Vector b, a;
};

// The same for every system of a rank, so its errors can be drawn once. The first keeps the order.
std::vector<Perturbation> draw_perturbations(size_t rank) {
  constexpr int kTrials = 3;
  std::mt19937 generator(1);
  std::normal_distribution<double> error;
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  std::vector<Perturbation> drawn;
  for (int trial = 0; trial < kTrials; ++trial) {
    Perturbation next{order, Vector(rank), Vector(rank * (rank + 1) / 2)};
    for (double& value : next.b) value = error(generator);
    for (double& value : next.a) value = error(generator);
    drawn.push_back(std::move(next));
    std::shuffle(order.begin(), order.end(), generator);
  }
  return drawn;
}

const std::vector<Perturbation>& perturbations(size_t rank) {
  thread_local std::vector<Perturbation> drawn;
  if (drawn.empty() || drawn.front().order.size() != rank) drawn = draw_perturbations(rank);
  return drawn;
}

// A and b as a variant that forms them may see them: off by random errors of the standard deviation
// that tolerance.h derives `input_error` from. Where A is rounded afterwards it is off by all of
// that, since what shows of the error is which elements it takes across a tie.
void perturb(const System& system, const Perturbation& by, Vector& a, Vector& b) {
  const size_t rank = b.size();
  const double deviation = system.input_error / kDeviationsInATolerance;
  Vector roots(rank);
  for (size_t i = 0; i < rank; ++i) roots[i] = std::sqrt(system.a[i * rank + i]);
  const double* error = by.a.data();
  for (size_t i = 0; i < rank; ++i) {
    b[i] += deviation * by.b[i] * system.magnitude[i];
    for (size_t j = 0; j <= i; ++j, ++error) {
      const double of_a = system.storage == Scalar::fp32
                              ? deviation * *error
                              : std::copysign(system.input_error, *error);
      a[i * rank + j] += of_a * roots[i] * roots[j];
      a[j * rank + i] = a[i * rank + j];
    }
  }
}

// Of the solver, in so many steps, on a system whose A is `a` before it is stored.
reference::CgSettings settings_of(const CgOptions& options, const Vector& a, int steps) {
  return {.steps = steps, .diagonal = options.jacobi ? reference::diagonal_of(a) : Vector{}};
}

// How far plain float CG leaves the reference on this system: the largest of several orders of the
// coordinates (and disturbances), since one may be lucky.
double float_departure(const System& system, const CgOptions& options, const Vector& start,
                       const reference::CgResult& expected) {
  const size_t rank = system.b.size();
  double largest = 0;
  for (const Perturbation& trial : perturbations(rank)) {
    const std::vector<size_t>& order = trial.order;
    Vector a_seen = system.a, b_seen = system.b;
    if (system.input_error > 0) perturb(system, trial, a_seen, b_seen);
    Vector a(rank * rank), b(rank), x0(rank), x(rank);
    for (size_t i = 0; i < rank; ++i) {
      b[i] = b_seen[order[i]];
      x0[i] = start[order[i]];
      for (size_t j = 0; j < rank; ++j) a[i * rank + j] = a_seen[order[i] * rank + order[j]];
    }
    const reference::CgSettings settings = settings_of(options, a, expected.steps);
    const Vector shuffled =
        reference::conjugate_gradient_in_float(as_stored(system, std::move(a)), b, x0, settings);
    for (size_t i = 0; i < rank; ++i) x[order[i]] = shuffled[i];
    largest = std::max(largest, distance(expected.x, x));
  }
  return largest;
}

// Whether CG stopped where its rule says; `slack` is how far ||r|| may be from the reference's.
void check_stop(const CgRule& rule, const reference::CgResult& expected, double b, double slack,
                RowCheck& check) {
  const double enough = rule.options.tolerance * b;
  if (expected.steps < rule.options.steps && expected.residual > enough + slack)
    check.fail(fmt::format("stopped after {} of {} steps at ||r|| = {:.3g}, ||b|| = {:.3g}",
                           expected.steps, rule.options.steps, expected.residual, b));
  if (expected.steps > 0 && expected.previous_residual < enough - slack)
    check.fail(fmt::format("went on to step {} from ||r|| = {:.3g}, ||b|| = {:.3g}", expected.steps,
                           expected.previous_residual, b));
}

// A solution that is wrong after the steps that are recorded, and right after another number of
// them, breaks a rule of its own.
void name_steps(const System& system, const CgRule& rule, const Vector& start, double scale,
                RowCheck& check) {
  if (!rule.records_steps || !(scale > 0)) return;
  for (int steps = 0; steps <= rule.options.steps; ++steps) {
    if (steps == system.steps) continue;
    const Vector x = reference::conjugate_gradient(as_stored(system, system.a), system.b, start,
                                                   settings_of(rule.options, system.a, steps))
                         .x;
    if (!(distance(x, system.x) <= check.tolerance * scale)) continue;
    check.rule = Rule::steps_not_taken;
    check.detail =
        fmt::format("{}: {}; it is right after {}", name_of(check.rule), check.detail, steps);
    return;
  }
}

// CG in double takes as many steps as the variant says it took; whether that number is right is the
// second question.
void check_cg(const System& system, const CgRule& rule, RowCheck& check) {
  if (found_nan(system, check)) return;
  if (system.count == 0) {  // zero by definition, whatever the warm start
    check.error = reference::norm(system.x);
    check.detail = fmt::format("an empty row has ||x|| = {:.3g}, not 0", check.error);
    return;
  }
  const int steps = steps_taken(rule, system);
  if (steps < 0 || steps > rule.options.steps) {
    check.rule = Rule::steps_not_taken;
    return check.fail(fmt::format("{}: {} steps recorded of at most {}", name_of(check.rule), steps,
                                  rule.options.steps));
  }
  const Vector start = rule.options.warm_start ? system.start : Vector(system.b.size(), 0.0);
  const reference::CgResult expected = reference::conjugate_gradient(
      as_stored(system, system.a), system.b, start, settings_of(rule.options, system.a, steps));
  // relative to where CG started too: the solution may be zero while the start is not
  const double scale = std::max(reference::norm(expected.x), reference::norm(start));
  const double error = distance(expected.x, system.x);
  const double a = reference::norm(system.a), b = reference::norm(system.b);
  if (scale > 0)
    check.tolerance = cg_tolerance(a / system.diagonal, steps,
                                   float_departure(system, rule.options, start, expected) / scale);
  check.error = error == 0 ? 0 : error / scale;
  check.residual = b > 0 ? residual_norm(system) / b : residual_norm(system);
  check.cg_steps = steps;
  check.detail = fmt::format("||x - reference|| is {:.3g}, ||reference|| is {:.3g} after {} steps",
                             error, reference::norm(expected.x), steps);
  if (check.wrong())
    name_steps(system, rule, start, scale, check);
  else
    check_stop(rule, expected, b, check.tolerance * a * scale, check);
}

}  // namespace

DeviceRows solution_rows(const UpdateParams& params) {
  return {params.solution.data, Scalar::fp32, params.solution.pitch, params.solution.rank};
}

std::vector<int64_t> items_of(const UpdateParams& params,
                              const std::vector<CheckedSystem>& systems) {
  std::vector<int64_t> items;
  for (const CheckedSystem& system : systems) items.push_back(system.row - params.first_row);
  return items;
}

std::string describe(const CheckedSystem& system) {
  return fmt::format("row {} ({} ratings)", system.row, system.count);
}

bool starts_warm(const Config& config) {
  const auto cg = parameters::cg_options(config);
  return cg && cg->warm_start;
}

void poison_solutions(Device& device, const UpdateParams& params) {
  const int64_t pitch_bytes = int64_t{params.solution.pitch} * 4;
  device.fill(static_cast<char*>(params.solution.data) + params.first_row * pitch_bytes, 0xFF,
              params.row_count * pitch_bytes);
}

void download_solutions(Device& device, const UpdateParams& params,
                        std::vector<CheckedSystem>& systems) {
  const std::vector<int64_t> items = items_of(params, systems);
  std::vector<int64_t> rows;
  for (const CheckedSystem& system : systems) rows.push_back(system.row);
  std::vector<Vector> solutions = download_rows(device, solution_rows(params), rows);
  const std::vector<int32_t> steps = download_integers(device, params.steps, items);
  const std::vector<int32_t> status = download_integers(device, params.status, items);
  for (size_t i = 0; i < systems.size(); ++i) {
    systems[i].x = std::move(solutions[i]);
    systems[i].steps = steps[i];
    systems[i].status = status[i];
  }
}

double distance_to_exact(const Variant& variant, const Config& config, const CheckedSystem& system,
                         const ReferenceRow& exact) {
  if (system.count == 0) return 0;
  const auto cg = parameters::cg_options(config);
  const Vector start = starts_warm(config) ? system.start : Vector(system.b.size(), 0.0);
  Vector expected;
  if (cg) {
    const int steps = steps_taken({*cg, variant.measures_solver_steps}, system);
    const reference::CgSettings settings = settings_of(*cg, exact.a, steps);
    expected = reference::conjugate_gradient(exact.a, exact.b, start, settings).x;
  } else {
    expected = reference::solve(exact.a, exact.b);
  }
  return distance(expected, system.x) / std::max(reference::norm(expected), reference::norm(start));
}

void check_system(const Variant& variant, const Config& config, const CheckedSystem& system,
                  RowCheck& check) {
  if (const auto cg = parameters::cg_options(config))
    check_cg(system, {*cg, variant.measures_solver_steps}, check);
  else
    check_direct(system, check);
}

}  // namespace alsbench
