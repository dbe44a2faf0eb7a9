// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stage solve.
#include "kernels/cpu/solve.h"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {
namespace {

// `kernel` as a direct solver's run.
template <auto kernel>
void run(const Config&, const Shape&, const StageParams& params, const RunContext& context) {
  kernel(params.as<UpdateParams>(), cpu_resources(context));
}

void run_cg(const Config& config, const Shape&, const StageParams& params,
            const RunContext& context) {
  solve_cg(params.as<UpdateParams>(), parameters::matrices_type(config) == Scalar::fp16,
           *parameters::cg_options(config), cpu_resources(context));
}

}  // namespace

void add_solve_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::solve,
               .name = "lu",
               .summary = "LAPACK sgetrf and sgetrs of OpenBLAS, a system at a time",
               .run = run<solve_lu>,
               .destroys_matrices = true});
  catalog.add({.stage = &stages::solve,
               .name = "cholesky",
               .summary = "LAPACK spotrf and spotrs of OpenBLAS, a system at a time",
               .run = run<solve_cholesky>,
               .destroys_matrices = true});
  catalog.add({.stage = &stages::solve,
               .name = "blocked_cholesky",
               .summary = "Cholesky of ours: four rows of the factor at a time, in vectors",
               .run = run<solve_blocked_cholesky>});
  catalog.add({.stage = &stages::solve,
               .name = "cg",
               .summary = "conjugate gradients: the paper's approximate solver",
               .space = {parameters::matrix(), parameters::kSteps, parameters::kLateSteps,
                         parameters::kTolerance, parameters::kWarm, parameters::kPrecondition},
               .run = run_cg,
               .measures_solver_steps = true});
}

}  // namespace alsbench
