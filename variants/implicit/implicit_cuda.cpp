// SPDX-License-Identifier: Apache-2.0
// CUDA variants of the stages of implicit ALS.
#include <fmt/format.h>

#include "kernels/cuda/hermitian/tiled_layout.cuh"
#include "kernels/shared/params/implicit.h"
#include "variants/als/parameters.h"
#include "variants/als/tensor_cores.h"
#include "variants/families.h"
#include "variants/implicit/implicit.h"

namespace alsbench {
namespace {

TiledLayout tiled_layout(const Config& config, const Shape& shape) {
  TiledLayout layout;
  layout.rank = shape.rank;
  layout.tile = config.integer("tile");
  layout.bin = config.integer("bin");
  layout.threads = config.integer("threads");
  return layout;
}

std::optional<std::string> tiled_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  constexpr int64_t kMaxBlocks = (int64_t{1} << 31) - 1;  // of a one-dimensional grid
  const TiledLayout layout = tiled_layout(config, shape);
  if (layout.shared_bytes() > traits.shared_bytes_per_block)
    return fmt::format("needs {} bytes of shared memory a block, the device has {}",
                       layout.shared_bytes(), traits.shared_bytes_per_block);
  if (shape.launch_rows() * layout.passes() > kMaxBlocks)
    return fmt::format("needs {} blocks, more than a grid holds; use smaller batches",
                       shape.launch_rows() * layout.passes());
  return std::nullopt;
}

KernelPlan tiled_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  const TiledLayout layout = tiled_layout(config, shape);
  KernelLaunch launch;
  launch.source = "kernels/cuda/implicit/tiled.cuh";
  launch.instance = fmt::format("alsbench::implicit_tiled<{}, {}, {}, {}, {}>", layout.rank,
                                layout.tile, layout.bin, layout.threads, config.is("l1", "on"));
  launch.grid = shape.launch_rows() * layout.passes();
  launch.block = layout.threads;
  launch.shared_bytes = layout.shared_bytes();
  return {{launch}, 0};
}

Variant tiled() {
  return {.stage = &stages::implicit_equations,
          .name = "tiled",
          .backend = Backend::cuda,
          .summary = "register tiles over weighted factor rows in shared memory",
          .space = {parameters::kFactorReads,
                    {"tile", {10, 8, 5, 4}, "a thread accumulates tile x tile entries of A_u"},
                    {"bin", {32, 16, 64}, "factor rows in the shared buffer"},
                    {"threads",
                     {64, 128, 256},
                     "of a block; more than the tiles share the rows of a bin"}},
          .objection = tiled_objection,
          .plan = tiled_plan};
}

MmaLayout fused_layout(const Config& config, const Shape& shape) {
  MmaLayout layout = tensor_cores::layout_of(
      config, shape, MmaLayout{shape.rank}.vectors_bytes(1, parameters::preconditions(config)));
  if (!layout.bytes()) layout.parts = 3;  // of a rating: the third is the root of its weight
  return layout;
}

std::optional<std::string> fused_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  if (parameters::factors_type(config) == Scalar::int8)
    if (auto objection = root_weights_objection(shape, Scalar::int8)) return objection;
  if (auto objection = tensor_cores::objection(config, shape, traits, fused_layout(config, shape)))
    return objection;
  if (tensor_cores::team_of(shape) > 1)
    return fmt::format("the registers of a warp do not hold A_u at rank {}", shape.rank);
  return std::nullopt;
}

KernelPlan fused_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const MmaLayout layout = fused_layout(config, shape);
  const std::string solver = fmt::format(
      "{}, {}, {}{}", parameters::stops_early(config), config.is("warm", "on"),
      element_type(parameters::matrices_type(config)), parameters::precondition_argument(config));
  KernelLaunch update = tensor_cores::stream_launch(traits, layout);
  update.source = "kernels/cuda/implicit/fused.cuh";
  update.instance = fmt::format("alsbench::implicit_update<{}, {}>",
                                tensor_cores::stream_arguments(config, traits, layout), solver);
  KernelLaunch cut_rows = tensor_cores::cut_rows_launch(traits, layout);
  cut_rows.source = "kernels/cuda/implicit/fused_cut_rows.cuh";
  cut_rows.instance = fmt::format("alsbench::implicit_update_cut_rows<{}, {}>",
                                  tensor_cores::cut_rows_arguments(config, traits, layout), solver);
  KernelPlan plan = tensor_cores::plan(config, shape, traits, {update, cut_rows});

  KernelLaunch gram;
  gram.source = "kernels/cuda/implicit/gram_tiles.cuh";
  gram.instance = fmt::format("alsbench::spread_gram<{}, {}>", shape.rank,
                              element_type(parameters::factors_type(config)));
  gram.grid = layout.tiles();
  gram.block = 32;
  plan.launches.insert(plan.launches.begin(), gram);
  plan.workspace_bytes += mma_slot_bytes(shape.rank);
  return parameters::with_cg_arguments(std::move(plan), *parameters::cg_options(config));
}

Variant fused() {
  return {.stage = &stages::implicit_update,
          .name = "fused",
          .backend = Backend::cuda,
          .summary =
              "tensor cores and CG in one kernel, a warp a row; the roots of weights "
              "multiply both operands",
          .space = {tensor_cores::stream(parameters::factors(
                        {"fp16", "bf16", "tf32", "int8"},
                        "storage of the fixed factors, and what tensor cores multiply once the "
                        "weights are in it: 11, 8, 11 bits of precision; int8 is signed bytes with "
                        "a scale a feature, once for each distinct rating")),
                    {parameters::matrix("A_u in CG; fp16 rounds it for tensor cores"),
                     parameters::kWarm, parameters::kSteps, parameters::kLateSteps,
                     parameters::kTolerance, parameters::kPrecondition}},
          .objection = fused_objection,
          .plan = fused_plan,
          .multiplies = tensor_cores::multiplied,
          .measures_solver_steps = true};
}

Variant loss_rows() {
  return {.stage = &stages::implicit_loss,
          .name = "rows",
          .backend = Backend::cuda,
          .summary = "a warp or a block a row, a thread a rating, double sums in a fixed order",
          .space = {{"threads", {256, 128}, "threads of a block"}},
          .plan = [](const Config& config, const Shape& shape, const DeviceTraits&) {
            KernelLaunch launch;
            launch.source = "kernels/cuda/implicit/loss_rows.cuh";
            launch.instance = fmt::format("alsbench::implicit_loss_rows<{}, {}>", shape.rank,
                                          config.get("threads"));
            launch.grid = kLossPartials;
            launch.block = config.integer("threads");
            return KernelPlan{{launch}, 0};
          }};
}

}  // namespace

void add_implicit_cuda(Catalog& catalog) {
  catalog.add(tiled());
  catalog.add(fused());
  catalog.add(loss_rows());
}

}  // namespace alsbench
