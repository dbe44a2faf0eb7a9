// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stages of implicit ALS.
#include "kernels/cpu/implicit.h"
#include "kernels/cpu/implicit_update.h"
#include "kernels/cpu/tile_update.h"
#include "variants/als/amx_tiles.h"
#include "variants/als/parameters.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"
#include "variants/implicit/implicit.h"

namespace alsbench {
namespace {

void run_blocked(const Config& config, const Shape&, const StageParams& params,
                 const RunContext& context) {
  RegisterTile tile;
  tile.rows = config.integer("tile");
  implicit_equations_blocked(params.as<ImplicitParams>(), tile, config.integer("bin"),
                             cpu_resources(context));
}

void run_matrix_free(const Config& config, const Shape&, const StageParams& params,
                     const RunContext& context) {
  implicit_update_matrix_free(params.as<ImplicitParams>(), *parameters::cg_options(config),
                              cpu_resources(context));
}

void run_tiles(const Config& config, const Shape&, const StageParams& params,
               const RunContext& context) {
  implicit_update_tiles(params.as<ImplicitParams>(), amx_tiles::element(config),
                        *parameters::cg_options(config), cpu_resources(context));
}

std::optional<std::string> tiles_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  if (auto objection = root_weights_objection(shape, parameters::factors_type(config)))
    return objection;
  return amx_tiles::objection(config, shape, traits);
}

}  // namespace

void add_implicit_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::implicit_equations,
               .name = "naive",
               .summary = "every rating adds its weighted outer product to the whole matrix",
               .run = run_on_cpu<ImplicitParams, implicit_equations_naive>});
  catalog.add({.stage = &stages::implicit_equations,
               .name = "blocked",
               .summary = "gathers a bin of factor rows times the roots of their weights, then "
                          "updates the lower triangle from registers",
               .space = {{"tile", {6, 4, 8, 12}, "rows of a register tile two vectors wide"},
                         {"bin", {64, 32, 128}, "factor rows gathered before they are used"}},
               .run = run_blocked});
  catalog.add({.stage = &stages::implicit_update,
               .name = "matrix_free",
               .summary = "CG on weighted factor rows gathered once a row of ratings; A_u is never "
                          "formed",
               .space = {parameters::kWarm, parameters::kSteps, parameters::kLateSteps,
                         parameters::kTolerance, parameters::kPrecondition},
               .run = run_matrix_free,
               .products = Products::kept_rows,
               .measures_solver_steps = true});
  catalog.add({.stage = &stages::implicit_update,
               .name = "tiles",
               .summary =
                   "A_u of weighted bytes or bf16 on AMX tiles, then CG, a row at a time in the "
                   "cache",
               .space = amx_tiles::space(
                   "signed bytes with a scale a feature, once for each distinct rating",
                   "8 bits of precision, before and once the weights are in it (AMX-BF16)"),
               .objection = tiles_objection,
               .run = run_tiles,
               .measures_solver_steps = true});
  catalog.add({.stage = &stages::implicit_loss,
               .name = "rows",
               .summary = "sums over contiguous ranges of rows, in double",
               .run = run_on_cpu<ImplicitLossParams, implicit_loss_rows>});
}

}  // namespace alsbench
