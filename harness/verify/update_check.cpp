// update: the solutions of the checked rows against the reference's equations of the same rounded
// factors. An inexact solver is not held against the exact solution but against CG in double with
// the same start and number of steps (system_check.h).
#include <span>

#include "harness/verify/system_check.h"
#include "harness/verify/tolerance.h"

namespace alsbench {
namespace {

// The reference's equations of a row.
void form_equations(const FactorReader::Row& inputs, float lambda, CheckedSystem& system) {
  system.count = inputs.count();
  system.a = reference::normal_matrix(inputs.ratings_view(), inputs.factors_view(), lambda, 0);
  system.b = reference::right_hand_side(inputs.ratings_view(), inputs.factors_view(), 0);
  system.magnitude = bias_magnitude(inputs);
  if (system.count > 0)
    system.smallest_eigenvalue = double{lambda} * static_cast<double>(system.count);
}

// Runs the batch that the rows [begin, end) of `rows` lie in; their systems with the solutions.
std::vector<CheckedSystem> run_batch(StageFixture& fixture, const Variant& variant,
                                     const Config& config, Executable& executable,
                                     std::span<const int64_t> rows) {
  Device& device = fixture.problem().device();
  const int64_t batch = std::get<UpdateParams>(fixture.params(0)).row_count;
  const auto params = std::get<UpdateParams>(fixture.params(rows.front() / batch * batch));
  std::vector<CheckedSystem> systems(rows.size());
  fixture.restore(variant);
  for (size_t i = 0; i < rows.size(); ++i) {
    systems[i].row = rows[i];
    systems[i].start =
        download_values(device, params.solution.data, rows[i] * params.solution.pitch,
                        params.solution.rank, Scalar::fp32);
  }
  fixture.poison();
  if (!starts_warm(config)) poison_solutions(device, params);
  executable.launch(params);
  download_solutions(device, params, systems);
  return systems;
}

}  // namespace

Verification check_update(StageFixture& fixture, const Variant& variant, const Config& config,
                          Executable& executable, int64_t sampled_rows) {
  const DeviceProblem& problem = fixture.problem();
  const Csr& ratings = problem.host_ratings(fixture.side());
  const std::vector<int64_t> chosen =
      rows_to_check(ratings, fixture.measured_rows(), problem.rank(), sampled_rows);
  Tally tally;
  if (chosen.empty()) return tally.result();
  const auto first = std::get<UpdateParams>(fixture.params(0));
  const FactorReader factors(problem.device(), first.factors, factors_storage(config));
  for (size_t begin = 0, end = 0; begin < chosen.size(); begin = end) {
    const int64_t last = (chosen[begin] / first.row_count + 1) * first.row_count;
    while (end < chosen.size() && chosen[end] < last) ++end;
    std::vector<CheckedSystem> systems =
        run_batch(fixture, variant, config, executable, {chosen.data() + begin, end - begin});
    std::vector<FactorReader::Row> inputs;
    for (const CheckedSystem& system : systems) inputs.push_back(factors.row(ratings, system.row));
    std::vector<RowCheck> checks(systems.size());
#pragma omp parallel for schedule(dynamic)
    for (size_t i = 0; i < systems.size(); ++i) {
      form_equations(inputs[i], problem.lambda(), systems[i]);
      systems[i].input_error = row_tolerance(config, systems[i].count);
      check_system(variant, config, systems[i], checks[i]);
    }
    for (size_t i = 0; i < systems.size(); ++i) tally.add(describe(systems[i]), checks[i]);
  }
  fixture.restore(variant);
  return tally.result();
}

}  // namespace alsbench
