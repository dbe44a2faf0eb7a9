// SPDX-License-Identifier: Apache-2.0
// The CPU variants of the stage update.
#include "kernels/cpu/tile_update.h"
#include "kernels/cpu/update.h"
#include "variants/als/amx_tiles.h"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {
namespace {

void run_blocked(const Config& config, const Shape&, const StageParams& params,
                 const RunContext& context) {
  update_blocked(params.as<UpdateParams>(), parameters::factors_type(config) == Scalar::fp16,
                 *parameters::cg_options(config), cpu_resources(context));
}

void run_cholesky(const Config& config, const Shape&, const StageParams& params,
                  const RunContext& context) {
  update_cholesky(params.as<UpdateParams>(), parameters::factors_type(config) == Scalar::fp16,
                  cpu_resources(context));
}

void run_matrix_free(const Config& config, const Shape&, const StageParams& params,
                     const RunContext& context) {
  update_matrix_free(params.as<UpdateParams>(), parameters::factors_type(config) == Scalar::fp16,
                     *parameters::cg_options(config), cpu_resources(context));
}

void run_tiles(const Config& config, const Shape&, const StageParams& params,
               const RunContext& context) {
  update_tiles(params.as<UpdateParams>(), amx_tiles::element(config),
               *parameters::cg_options(config), cpu_resources(context));
}

}  // namespace

void add_update_cpu(Catalog& catalog) {
  const ParameterSpace space{parameters::factors(),  parameters::kWarm,
                             parameters::kSteps,     parameters::kLateSteps,
                             parameters::kTolerance, parameters::kPrecondition};
  catalog.add({.stage = &stages::update,
               .name = "blocked",
               .summary = "hermitian, bias and CG of a row at a time, whose A_u stays in the cache",
               .space = space,
               .run = run_blocked,
               .measures_solver_steps = true});
  catalog.add({.stage = &stages::update,
               .name = "cholesky",
               .summary = "as blocked, with solve/blocked_cholesky in place of CG",
               .space = {parameters::factors()},
               .run = run_cholesky});
  catalog.add({.stage = &stages::update,
               .name = "matrix_free",
               .summary = "CG on factor rows gathered once a row of ratings; A_u is never formed",
               .space = space,
               .run = run_matrix_free,
               .products = Products::kept_rows,
               .measures_solver_steps = true});
  catalog.add(
      {.stage = &stages::update,
       .name = "tiles",
       .summary = "A_u of bytes or bf16 on AMX tiles, then CG, a row at a time in the cache",
       .space = amx_tiles::space("signed bytes with a scale a feature, whose sums are exact",
                                 "8 bits of precision, no scales, sums in FP32 (AMX-BF16)"),
       .objection = amx_tiles::objection,
       .run = run_tiles,
       .measures_solver_steps = true});
}

}  // namespace alsbench
