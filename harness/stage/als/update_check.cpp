// SPDX-License-Identifier: Apache-2.0
// update: the solutions of the checked rows against the reference's equations of the same rounded
// factors, rounded as the variant keeps them. An inexact solver is not held against the exact
// solution but against CG in double with the same start and number of steps (system_check.h).
#include "harness/stage/als/update_check.h"

#include <fmt/format.h>

#include <span>

#include "harness/problem/factor_copy.h"
#include "harness/stage/als/system_check.h"
#include "harness/stage/supports.h"
#include "harness/stage/tolerance.h"
#include "kernels/cpu/element.h"
#include "kernels/shared/byte_factors.h"
#include "variants/als/parameters.h"

namespace alsbench {
namespace {

using reference::Vector;

// The equations of a row that is to be solved from `start`.
CheckedSystem system_of(const ReferenceRow& row, double diagonal, Vector start) {
  CheckedSystem system;
  system.row = row.row;
  system.count = row.count;
  system.a = row.a;
  system.b = row.b;
  system.magnitude = row.magnitude;
  system.scales = row.scales;
  system.unit = row.unit;
  system.start = std::move(start);
  if (system.count > 0) system.diagonal = diagonal;
  return system;
}

// Of each feature of all solutions.
std::vector<double> download_largest(Device& device, const UpdateParams& params) {
  const auto* words =
      static_cast<const char*>(params.rounded) + ByteFactors{params.solution.rank}.largest_at();
  return download_values(device, words, 0, params.solution.rank, Scalar::fp32);
}

// Runs the batch that the rows lie in; their systems with the solutions.
std::vector<CheckedSystem> run_batch(const CheckRequest& request, UpdateFixture& fixture,
                                     std::span<const ReferenceRow> rows,
                                     const UpdateReference& reference) {
  Device& device = fixture.problem().device();
  const int64_t batch = fixture.update_params(0).row_count;
  const int64_t first_row = rows.front().row / batch * batch;
  const UpdateParams params = fixture.update_params(first_row);
  std::vector<int64_t> chosen;
  for (const ReferenceRow& row : rows) chosen.push_back(row.row);
  fixture.restore(request.variant);
  std::vector<Vector> starts = download_rows(device, solution_rows(params), chosen);
  std::vector<CheckedSystem> systems;
  for (size_t i = 0; i < rows.size(); ++i)
    systems.push_back(system_of(rows[i], reference.diagonal(rows[i].count), std::move(starts[i])));
  fixture.poison();
  if (!starts_warm(request.config)) poison_solutions(device, params);
  const bool bytes = has_scales(parameters::factors_type(request.config));
  request.executable.launch(fixture.params(first_row));
  download_solutions(device, params, systems);
  if (params.rounded == nullptr) return systems;
  if (bytes) {
    const Vector largest = download_largest(device, params);
    for (CheckedSystem& system : systems) system.copy = largest;
    return systems;
  }
  DeviceRows copies = solution_rows(params);
  copies.data = params.rounded;
  copies.type = parameters::factors_type(request.config);
  std::vector<Vector> found = download_rows(device, copies, chosen);
  for (size_t i = 0; i < systems.size(); ++i) systems[i].copy = std::move(found[i]);
  return systems;
}

// The magnitudes that become the scales of the copy in bytes are no less than x.
void check_largest(const CheckedSystem& system, RowCheck& check) {
  for (size_t i = 0; i < system.copy.size(); ++i)
    if (!(std::abs(system.x[i]) <= system.copy[i]) && !check.is_nan)
      return check.fail(fmt::format("x({}) is {:.9g}, the largest of all is said to be {:.9g}", i,
                                    system.x[i], system.copy[i]));
}

// The copy that the other side's update will read is x to the bit, rounded.
void check_copy_of_solution(const CheckedSystem& system, Scalar type, RowCheck& check) {
  for (size_t i = 0; i < system.copy.size(); ++i) {
    const double expected = rounding_to(type)(static_cast<float>(system.x[i]));
    if (system.copy[i] == expected || check.is_nan) continue;
    return check.fail(fmt::format("x({}) is {:.9g}, its copy in {} {:.9g}, expected {:.9g}", i,
                                  system.x[i], name_of(type), system.copy[i], expected));
  }
}

}  // namespace

Verification check_update(const CheckRequest& request, UpdateFixture& fixture,
                          const UpdateReference& reference) {
  const Variant& variant = request.variant;
  const Config& config = request.config;
  const Scalar factors = parameters::factors_type(config);
  const std::vector<ReferenceRow>& rows = reference.rows;
  const std::vector<ReferenceRow>& exact = reference.exact;
  const int architecture = fixture.problem().device().traits().architecture;
  Tally tally;
  for (size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    const int64_t batch = fixture.update_params(0).row_count;
    const int64_t last = (rows[begin].row / batch + 1) * batch;
    while (end < rows.size() && rows[end].row < last) ++end;
    std::vector<CheckedSystem> systems =
        run_batch(request, fixture, {rows.data() + begin, end - begin}, reference);
    const auto what = [&](size_t i) { return describe(systems[i]); };
    tally.add_all(systems.size(), what, [&](size_t i, RowCheck& check) {
      CheckedSystem& system = systems[i];
      system.input_error = row_tolerance(config, system.count, architecture);
      system.storage = parameters::matrices_type(config, system.count);
      check_system(variant, config, system, check);
      if (has_scales(factors))
        check_largest(system, check);
      else
        check_copy_of_solution(system, factors, check);
      if (factors == Scalar::fp32 && system.storage == Scalar::fp32) return;
      check.storage_error = distance_to_exact(variant, config, system, exact[begin + i]);
    });
  }
  fixture.restore(variant);
  return tally.result();
}

Rounding rounding_to(Scalar type) {
  switch (type) {
    case Scalar::fp16:
      return [](float value) { return half_to_float(float_to_half(value)); };
    case Scalar::bf16:
      return [](float value) { return bfloat_to_float(float_to_bfloat(value)); };
    case Scalar::tf32:
      return round_to_tf32;
    default:
      return [](float value) { return value; };
  }
}

namespace {

Verification check_update(const CheckRequest& request) {
  auto& fixture = dynamic_cast<UpdateFixture&>(request.fixture);
  const double lambda = fixture.problem().lambda();
  return check_update(
      request, fixture,
      {reference_rows(request.references, fixture, parameters::factors_type(request.config)),
       reference_rows(request.references, fixture, Scalar::fp32),
       [lambda](int64_t count) { return lambda * static_cast<double>(count); }});
}

std::unique_ptr<StageFixture> make_update(const FixtureRequest& request) {
  return std::make_unique<UpdateFixture>(request, UpdateOperands{.solves = true, .rounds = true});
}

}  // namespace

StageSupport update_support() { return {"update", make_update, check_update}; }

}  // namespace alsbench
