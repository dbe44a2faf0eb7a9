// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the stage update: a half-iteration on tensor cores with CG in registers
// (fused), and CG that never forms A_u (matrix_free).
#include <fmt/format.h>

#include "variants/als/cg_knobs.h"
#include "variants/als/stages.h"
#include "variants/als/tensor_cores.h"
#include "variants/families.h"

namespace alsbench {
namespace {

MmaLayout layout_of(const Config& config, const Shape& shape) {
  return tensor_cores::layout_of(config, shape,
                                 MmaLayout{shape.rank}.vectors_bytes(tensor_cores::team_of(shape)));
}

std::optional<std::string> fused_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  if (config.is("matrix", "fp16") && tensor_cores::team_of(shape) > 1)
    return fmt::format("at rank {} a team of warps shares A_u; leave matrix at fp32", shape.rank);
  return tensor_cores::objection(config, shape, traits, layout_of(config, shape));
}

KernelPlan fused_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const MmaLayout layout = layout_of(config, shape);
  const std::string solver =
      fmt::format("{}, {}, {}", cg_knobs::stops_early(config), config.is("warm", "on"),
                  element_type(matrices_storage(config)));
  KernelPlan plan = tensor_cores::prelude(config, shape, traits);

  KernelLaunch update = tensor_cores::stream_launch(traits, layout);
  update.source = "kernels/cuda/update/fused.cuh";
  update.instance = fmt::format("alsbench::fused_update<{}, {}>",
                                tensor_cores::stream_arguments(config, traits, layout), solver);
  plan.launches.push_back(update);

  KernelLaunch pieces = update;
  pieces.source = "kernels/cuda/update/fused_pieces.cuh";
  pieces.instance = fmt::format("alsbench::fused_update_pieces<{}, {}, {}>",
                                tensor_cores::pieces_arguments(traits, layout),
                                element_type(factors_storage(config)), solver);
  pieces.shared_bytes = int64_t{layout.warps} * layout.beside;
  plan.launches.push_back(pieces);
  return cg_knobs::with_arguments(std::move(plan), config);
}

Variant fused() {
  Variant variant;
  variant.stage = &stages::update;
  variant.name = "fused";
  variant.backend = Backend::cuda;
  variant.summary =
      "tensor cores and CG in one kernel, a warp (or a team) a row; A_u never leaves registers";
  variant.space =
      ParameterSpace(tensor_cores::kStream,
                     {{"matrix", {"fp32", "fp16"}, "A_u in CG; fp16 rounds it for tensor cores"},
                      cg_knobs::kWarm,
                      cg_knobs::kSteps,
                      cg_knobs::kTolerance});
  variant.objection = fused_objection;
  variant.plan = fused_plan;
  variant.measures_cg_steps = true;
  return variant;
}

KernelPlan matrix_free_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/update/matrix_free.cuh";
  launch.instance = fmt::format("alsbench::matrix_free_update<{}, {}, {}, {}, {}, {}, {}>",
                                shape.rank, config.get("threads"), config.get("lanes"),
                                cg_knobs::stops_early(config), config.is("l1", "on"),
                                config.is("warm", "on"), element_type(factors_storage(config)));
  launch.grid = shape.launch_rows();
  launch.block = config.integer("threads");
  return cg_knobs::with_arguments({{launch}, 0}, config);
}

Variant matrix_free() {
  Variant variant;
  variant.stage = &stages::update;
  variant.name = "matrix_free";
  variant.backend = Backend::cuda;
  variant.summary = "CG that gathers the row's factors anew in every step and never forms A_u";
  variant.space = {{"threads", {64, 32, 128, 256}, "threads of a block, which has one row"},
                   {"lanes", {8, 4, 16, 32}, "threads that share a rating"},
                   {"l1", {"on", "off"}, "reads of factor rows through L1 or past it"},
                   {"factors", {"fp32", "fp16"}, "storage of the fixed side's factors"},
                   cg_knobs::kWarm,
                   cg_knobs::kSteps,
                   cg_knobs::kTolerance};
  variant.objection = [](const Config& config, const Shape& shape,
                         const DeviceTraits&) -> std::optional<std::string> {
    const int vector = config.is("factors", "fp16") ? 8 : 4;
    const int held = factor_pitch(shape.rank) / config.integer("lanes");
    constexpr int kMostHeld = 64;  // the vector and the sum stand in registers, beside the ratings
    if (held > kMostHeld)
      return fmt::format("each of {} lanes would hold {} elements, at most {}; use more lanes",
                         config.get("lanes"), held, kMostHeld);
    if (factor_pitch(shape.rank) / vector * 2 <= config.integer("lanes"))
      return fmt::format("a factor row is {} vectors, fewer than half of the {} lanes",
                         factor_pitch(shape.rank) / vector, config.get("lanes"));
    return std::nullopt;
  };
  variant.plan = matrix_free_plan;
  variant.measures_cg_steps = true;
  return variant;
}

}  // namespace

void add_update_cuda(Catalog& catalog) {
  catalog.add(fused());
  catalog.add(matrix_free());
}

}  // namespace alsbench
