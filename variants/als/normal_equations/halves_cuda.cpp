// SPDX-License-Identifier: Apache-2.0
// normal_equations/halves on CUDA: A_u and b_u on tensor cores, to FP32's precision.
#include <fmt/format.h>

#include <algorithm>

#include "kernels/cuda/normal_equations/halves_layout.cuh"
#include "variants/als/parameters.h"
#include "variants/als/pieces.h"
#include "variants/als/plan_arguments.h"
#include "variants/als/stages.h"
#include "variants/als/tensor_cores.h"
#include "variants/families.h"

namespace alsbench {
namespace {

MmaLayout halves_layout(const Config& config, const Shape& shape) {
  MmaLayout layout = team_layout(shape.rank, /* warpgroups */ false, /* halves */ true);
  const int team = mma_team(layout).warps;
  layout.stages = config.integer("stages");
  layout.warps = layout.team = std::max(team, 1);
  return layout;
}

PieceWorkspace halves_pieces(const Config& config, const Shape& shape) {
  const int chunk = config.integer("chunk");
  return {.nnz = shape.longest_row() > chunk ? shape.nnz : 0,
          .chunk = chunk,
          .slot_bytes = mma_slot_bytes(shape.rank, /* warpgroups */ false, /* halves */ true),
          .rows = shape.launch_rows(),
          .dealt = true};
}

std::optional<std::string> halves_objection(const Config& config, const Shape& shape,
                                            const DeviceTraits& traits) {
  if (traits.architecture < 80)
    return "needs asynchronous copies and mma.m16n8k16 (sm_80 or newer); use hermitian and bias";
  const MmaLayout layout = halves_layout(config, shape);
  if (auto objection = tensor_cores::layout_objection(layout, traits)) return objection;
  return tensor_cores::items_objection(halves_pieces(config, shape), shape, traits);
}

// The factors' halves, before the rows that are multiplied.
void add_split_launches(KernelPlan& plan, const Shape& shape) {
  constexpr int kThreads = 256;
  PlanArguments arguments = arguments_of(plan);
  arguments.factors_at = (plan.workspace_bytes + 255) / 256 * 256;
  plan.arguments = arguments;
  plan.workspace_bytes = arguments.factors_at + HalvesCopy{shape.rank}.bytes(shape.cols);
  KernelLaunch launch;
  launch.source = "kernels/cuda/normal_equations/split_factors.cuh";
  launch.grid = HalvesCopy::kBlocks;
  launch.block = kThreads;
  launch.instance = fmt::format("alsbench::find_largest_factor<{}>", kThreads);
  plan.launches.push_back(launch);
  launch.instance = fmt::format("alsbench::split_factors<{}, {}>", shape.rank, kThreads);
  plan.launches.push_back(launch);
}

KernelPlan halves_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const MmaLayout layout = halves_layout(config, shape);
  const PieceWorkspace pieces = halves_pieces(config, shape);
  const int blocks = mma_blocks(layout, traits.shared_bytes_per_multiprocessor);
  KernelPlan plan = pieces::prelude(pieces, /* ordered */ false, shape.launch_rows(), traits);
  add_split_launches(plan, shape);

  KernelLaunch multiply;
  multiply.source = "kernels/cuda/normal_equations/halves.cuh";
  multiply.instance = fmt::format("alsbench::halves_multiply<{}, {}, {}, {}, {}>", layout.rank,
                                  layout.stages, layout.warps, blocks, config.is("l1", "on"));
  multiply.grid = int64_t{blocks} * traits.multiprocessors;
  multiply.block = 32 * layout.warps;
  multiply.shared_bytes = layout.shared_bytes();
  plan.launches.push_back(multiply);
  if (pieces.nnz == 0) return plan;

  plan.launches.push_back(tensor_cores::sum_launch(layout.rank, "float", ", false, true", traits));
  KernelLaunch cut_rows = multiply;
  cut_rows.instance =
      fmt::format("alsbench::halves_write_cut_rows<{}, {}, {}>", layout.rank, layout.warps, blocks);
  cut_rows.shared_bytes = 0;
  plan.launches.push_back(cut_rows);
  return plan;
}

Variant halves() {
  return {.stage = &stages::normal_equations,
          .name = "halves",
          .backend = Backend::cuda,
          .summary =
              "A_u and b_u on tensor cores to FP32's precision: a factor is two halves, and "
              "three of their four products are summed",
          .space = {{"stages", {4, 3, 6}, "groups of 16 factor rows in a team's ring of copies"},
                    parameters::kFactorReads,
                    parameters::chunk({4096, 1024, 2048, 8192}),
                    parameters::factors({"fp32"}),
                    parameters::output({"fp32"})},
          .objection = halves_objection,
          .plan = halves_plan,
          .multiplies = [](const Config&) { return Scalar::fp16; }};
}

}  // namespace

void add_normal_equations_halves_cuda(Catalog& catalog) { catalog.add(halves()); }

}  // namespace alsbench
