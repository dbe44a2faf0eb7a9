// SPDX-License-Identifier: Apache-2.0
#include "variants/als/tensor_cores.h"

#include <fmt/format.h>

#include "variants/als/parameters.h"
#include "variants/als/pieces.h"

namespace alsbench::tensor_cores {
namespace {

PieceWorkspace workspace_of(const Config& config, const Shape& shape) {
  const int chunk = config.integer("chunk"), short_ratings = parameters::short_row_ratings(config);
  const bool dealt = team_of(shape) > 1;
  return {.nnz = shape.longest_row() > chunk ? shape.nnz : 0,
          .chunk = chunk,
          .slot_bytes = mma_slot_bytes(shape.rank, parameters::multiplies_by_warpgroups(config)),
          .rows = dealt || short_ratings > 0 ? shape.launch_rows() : 0,
          .short_ratings = short_ratings,
          .dealt = dealt};
}

int blocks_of(const DeviceTraits& traits, const MmaLayout& layout) {
  return mma_blocks(layout, traits.shared_bytes_per_multiprocessor);
}

}  // namespace

KernelLaunch sum_launch(int rank, std::string_view element, std::string_view form,
                        const DeviceTraits& traits) {
  constexpr int kThreads = 128, kBlocks = 16;  // a multiprocessor
  KernelLaunch launch;
  launch.source = "kernels/cuda/mma/sum.cuh";
  launch.instance =
      fmt::format("alsbench::sum_pieces<{}, {}, {}{}>", rank, element, kThreads, form);
  launch.grid = int64_t{kBlocks} * traits.multiprocessors;
  launch.block = kThreads;
  return launch;
}

std::optional<std::string> layout_objection(const MmaLayout& layout, const DeviceTraits& traits) {
  const MmaTeam team = mma_team(layout);
  if (team.warps == 0)
    return fmt::format("the registers of {} warps do not hold A_u at rank {}", MmaTeam::kMaxWarps,
                       layout.rank);
  if (team.registers() * 32 * layout.warps > traits.registers_per_multiprocessor)
    return fmt::format("{} warps of {} registers a thread are more than a multiprocessor has",
                       layout.warps, team.registers());
  if (layout.shared_bytes() > traits.shared_bytes_per_block)
    return fmt::format("needs {} bytes of shared memory a block, the device has {}",
                       layout.shared_bytes(), traits.shared_bytes_per_block);
  return std::nullopt;
}

std::optional<std::string> items_objection(const PieceWorkspace& workspace, const Shape& shape,
                                           const DeviceTraits& traits) {
  if (auto objection = pieces::objection(workspace, traits)) return objection;
  if (shape.launch_rows() + workspace.max_pieces() > INT32_MAX)
    return "more rows and pieces than 32 bits count; use smaller batches";
  return std::nullopt;
}

Scalar multiplied(const Config& config) {
  const Scalar factors = parameters::factors_type(config);
  const bool halves = config.get_or("matrix", "fp32") == "fp16";
  return factors == Scalar::tf32 && halves ? Scalar::fp16 : factors;
}

int team_of(const Shape& shape) { return mma_team(MmaLayout{shape.rank}).warps; }

MmaLayout tiles_of(const Config& config, const Shape& shape) {
  return team_layout(shape.rank, parameters::multiplies_by_warpgroups(config));
}

MmaLayout layout_of(const Config& config, const Shape& shape, int extra_bytes) {
  MmaLayout layout = tiles_of(config, shape);
  const int team = mma_team(layout).warps;
  layout.stages = config.integer("stages");
  layout.warps = team > 1 ? team : config.integer("warps");
  layout.extra_bytes = extra_bytes;
  layout.team = team > 1 ? team : 1;
  layout.element = static_cast<int>(size_of(parameters::factors_type(config)));
  return layout;
}

namespace {

std::optional<std::string> warpgroup_objection(const Config& config, const Shape& shape,
                                               const DeviceTraits& traits) {
  if (!parameters::multiplies_by_warpgroups(config)) return std::nullopt;
  if (team_of(shape) == 1)
    return fmt::format("at rank {} a warp holds a row by itself; use products=mma", shape.rank);
  if (traits.architecture != 90) return "wgmma is an instruction of sm_90 alone; use products=mma";
  if (parameters::factors_type(config) != Scalar::int8)
    return "wgmma multiplies signed bytes here; use factors=int8 or products=mma";
  if (config.integer("stages") % 2 != 0 || config.integer("stages") < 4)
    return "wgmma multiplies two groups at a time; use an even number of stages, 4 or more";
  return std::nullopt;
}

std::optional<std::string> fp8_objection(const Config& config, const DeviceTraits& traits) {
  if (parameters::factors_type(config) != Scalar::fp8 || multiplies_fp8(traits))
    return std::nullopt;
  return "mma.sync multiplies e4m3 on sm_89, sm_120 and sm_121 alone; use factors=int8";
}

}  // namespace

std::optional<std::string> objection(const Config& config, const Shape& shape,
                                     const DeviceTraits& traits, const MmaLayout& layout) {
  if (traits.architecture < 80)
    return "needs asynchronous copies and mma.m16n8k16 (sm_80 or newer)";
  if (auto objection = fp8_objection(config, traits)) return objection;
  if (auto objection = warpgroup_objection(config, shape, traits)) return objection;
  const int team = mma_team(layout).warps;
  if (team > 1 && config.integer("warps") != 4)
    return fmt::format("at rank {} a block is the {} warps that share a row; leave warps at 4",
                       shape.rank, team);
  if (auto objection = layout_objection(layout, traits)) return objection;
  if (parameters::factors_type(config) == Scalar::int8 &&
      parameters::ratings_of_piece(config, shape.longest_row()) > kMaxInt8Ratings)
    return fmt::format(
        "sums of {} products of bytes may overflow 32 bits; use a chunk of {} or less",
        parameters::ratings_of_piece(config, shape.longest_row()), kMaxInt8Ratings);
  return items_objection(workspace_of(config, shape), shape, traits);
}

KernelPlan plan(const Config& config, const Shape& shape, const DeviceTraits& traits,
                const StreamLaunches& launches) {
  const PieceWorkspace workspace = workspace_of(config, shape);
  const bool cuts = shape.longest_row() > workspace.chunk;
  KernelPlan plan =
      pieces::prelude(workspace, config.is("order", "columns"), shape.launch_rows(), traits);
  if (!cuts && workspace.rows == 0) {
    plan.launches = {launches.stream};
    plan.launches.front().clear_workspace_bytes = sizeof(RowCounters);
    return plan;
  }
  plan.launches.insert(plan.launches.end(), launches.short_rows.begin(), launches.short_rows.end());
  plan.launches.push_back(launches.stream);
  if (cuts) {
    plan.launches.push_back(sum_launch(shape.rank, element_type(parameters::factors_type(config)),
                                       parameters::multiplies_by_warpgroups(config) ? ", true" : "",
                                       traits));
    plan.launches.push_back(launches.cut_rows);
  }
  return plan;
}

KernelLaunch stream_launch(const DeviceTraits& traits, const MmaLayout& layout) {
  KernelLaunch launch;
  launch.grid = int64_t{blocks_of(traits, layout)} * traits.multiprocessors;
  launch.block = 32 * layout.warps;
  launch.shared_bytes = layout.shared_bytes();
  return launch;
}

std::string stream_arguments(const Config& config, const DeviceTraits& traits,
                             const MmaLayout& layout) {
  return fmt::format("{}, {}, {}, {}, {}, {}", layout.rank, layout.stages, layout.warps,
                     blocks_of(traits, layout), config.is("l1", "on"),
                     element_type(parameters::factors_type(config)));
}

KernelLaunch cut_rows_launch(const DeviceTraits& traits, const MmaLayout& layout) {
  KernelLaunch launch = stream_launch(traits, layout);
  launch.shared_bytes = int64_t{layout.warps} * layout.extra_bytes + layout.scales_bytes();
  return launch;
}

std::string cut_rows_arguments(const Config& config, const DeviceTraits& traits,
                               const MmaLayout& layout) {
  return fmt::format("{}, {}, {}, {}", layout.rank, layout.warps, blocks_of(traits, layout),
                     element_type(parameters::factors_type(config)));
}

}  // namespace alsbench::tensor_cores
