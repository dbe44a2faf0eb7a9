// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the stage update: a half-iteration on tensor cores with CG in registers
// (fused), and CG that never forms A_u (matrix_free).
#include <fmt/format.h>

#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/als/tensor_cores.h"
#include "variants/als/update/short_rows.h"
#include "variants/families.h"

namespace alsbench {
namespace {

MmaLayout layout_of(const Config& config, const Shape& shape) {
  const MmaLayout tiles = tensor_cores::tiles_of(config, shape);
  return tensor_cores::layout_of(
      config, shape, tiles.vectors_bytes(mma_team(tiles).warps, parameters::preconditions(config)));
}

// A half rounds A_u by 2^-12 of its elements, which are in proportion to the ratings: with less
// damping than that it may not be positive definite, and CG then diverges.
std::optional<std::string> halves_objection(const Config& config, const Shape& shape) {
  constexpr double kMinDamping = 1e-3;
  if (parameters::matrices_type(config) != Scalar::fp16) return std::nullopt;
  if (shape.damping < 0 || shape.damping >= kMinDamping) return std::nullopt;
  return fmt::format(
      "lambda is {:.2g} of the mean rating, and with less than {:g} A_u in halves may not be "
      "positive definite; leave matrix at fp32",
      shape.damping, kMinDamping);
}

std::optional<std::string> fused_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  if (auto objection = halves_objection(config, shape)) return objection;
  if (auto objection = short_rows::objection(config, shape, traits)) return objection;
  return tensor_cores::objection(config, shape, traits, layout_of(config, shape));
}

// The last arguments of the kernels' templates, which are false where they are not spelled.
std::string last_arguments(const Config& config) {
  if (!parameters::multiplies_by_warpgroups(config))
    return parameters::precondition_argument(config);
  return fmt::format(", {}, true", parameters::preconditions(config));
}

KernelPlan fused_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const MmaLayout layout = layout_of(config, shape);
  const std::string solver =
      fmt::format("{}, {}, {}{}", parameters::stops_early(config), config.is("warm", "on"),
                  element_type(parameters::matrices_type(config)), last_arguments(config));
  KernelLaunch update = tensor_cores::stream_launch(traits, layout);
  update.source = "kernels/cuda/update/fused.cuh";
  update.instance = fmt::format("alsbench::fused_update<{}, {}>",
                                tensor_cores::stream_arguments(config, traits, layout), solver);

  KernelLaunch cut_rows = tensor_cores::cut_rows_launch(traits, layout);
  cut_rows.source = "kernels/cuda/update/fused_cut_rows.cuh";
  cut_rows.instance = fmt::format("alsbench::fused_update_cut_rows<{}, {}>",
                                  tensor_cores::cut_rows_arguments(config, traits, layout), solver);
  return parameters::with_cg_arguments(
      tensor_cores::plan(config, shape, traits,
                         {update, cut_rows, short_rows::launches(config, shape, traits)}),
      *parameters::cg_options(config));
}

Variant fused() {
  return {.stage = &stages::update,
          .name = "fused",
          .backend = Backend::cuda,
          .summary =
              "tensor cores and CG in one kernel, a warp (or a team) a row; A_u never leaves "
              "registers",
          .space = {tensor_cores::kStream,
                    {parameters::matrix("A_u in CG; fp16 rounds it for tensor cores"),
                     parameters::kWarm, parameters::kSteps, parameters::kLateSteps,
                     parameters::kTolerance, parameters::kPrecondition, short_rows::parameter(),
                     parameters::kProducts}},
          .objection = fused_objection,
          .plan = fused_plan,
          .multiplies = tensor_cores::multiplied,
          .measures_solver_steps = true};
}

KernelPlan matrix_free_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/update/matrix_free.cuh";
  launch.instance = fmt::format(
      "alsbench::matrix_free_update<{}, {}, {}, {}, {}, {}, {}{}>", shape.rank,
      config.get("threads"), config.get("lanes"), parameters::stops_early(config),
      config.is("l1", "on"), config.is("warm", "on"),
      element_type(parameters::factors_type(config)), parameters::precondition_argument(config));
  launch.grid = shape.launch_rows();
  launch.block = config.integer("threads");
  return parameters::with_cg_arguments({{launch}, 0}, *parameters::cg_options(config));
}

std::optional<std::string> matrix_free_objection(const Config& config, const Shape& shape,
                                                 const DeviceTraits&) {
  const int vector = parameters::factors_type(config) == Scalar::fp16 ? 8 : 4;
  const int held = factor_pitch(shape.rank) / config.integer("lanes");
  constexpr int kMaxHeldVectors = 64;  // the vector and the sum are in registers, with the ratings
  if (held > kMaxHeldVectors)
    return fmt::format("each of {} lanes would hold {} elements, at most {}; use more lanes",
                       config.get("lanes"), held, kMaxHeldVectors);
  if (factor_pitch(shape.rank) / vector * 2 <= config.integer("lanes"))
    return fmt::format("a factor row is {} vectors, fewer than half of the {} lanes",
                       factor_pitch(shape.rank) / vector, config.get("lanes"));
  return std::nullopt;
}

Variant matrix_free() {
  return {.stage = &stages::update,
          .name = "matrix_free",
          .backend = Backend::cuda,
          .summary = "CG that gathers the row's factors again in every step and never forms A_u",
          .space = {{"threads", {64, 32, 128, 256}, "threads of a block, which has one row"},
                    {"lanes", {8, 4, 16, 32}, "threads that share a rating"},
                    parameters::kFactorReads,
                    parameters::factors(),
                    parameters::kWarm,
                    parameters::kSteps,
                    parameters::kLateSteps,
                    parameters::kTolerance,
                    parameters::kPrecondition},
          .objection = matrix_free_objection,
          .plan = matrix_free_plan,
          .products = Products::gathered_rows,
          .measures_solver_steps = true};
}

}  // namespace

void add_update_cuda(Catalog& catalog) {
  catalog.add(fused());
  catalog.add(matrix_free());
}

}  // namespace alsbench
