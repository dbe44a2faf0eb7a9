// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the stage hermitian: naive, the paper's get_hermitian (tiled), and the same
// with long rows cut into pieces (split).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/cuda/hermitian/tiled_layout.cuh"
#include "variants/als/parameters.h"
#include "variants/als/pieces.h"
#include "variants/als/stages.h"
#include "variants/families.h"

namespace alsbench {
namespace {

constexpr int64_t kMaxBlocks = (int64_t{1} << 31) - 1;  // of a one-dimensional grid

std::optional<std::string> grid_objection(int64_t blocks) {
  if (blocks <= kMaxBlocks) return std::nullopt;
  return fmt::format("needs {} blocks, more than a grid holds; use smaller batches", blocks);
}

int64_t naive_grid(const Config& config, const Shape& shape) {
  const int64_t entries = int64_t{shape.rank} * shape.rank;
  const int64_t threads = config.integer("threads");
  return shape.launch_rows() * ((entries + threads - 1) / threads);
}

KernelPlan naive_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/hermitian/naive.cuh";
  launch.instance = fmt::format("alsbench::naive_hermitian<{}, {}, {}, {}, {}>", shape.rank,
                                config.get("threads"), config.is("l1", "on"),
                                element_type(parameters::factors_type(config)),
                                element_type(parameters::matrices_type(config)));
  launch.grid = naive_grid(config, shape);
  launch.block = config.integer("threads");
  return {{launch}, 0};
}

Variant naive() {
  return {
      .stage = &stages::hermitian,
      .name = "naive",
      .backend = Backend::cuda,
      .summary = "one thread an entry of A_u, no shared memory",
      .space = {{"threads", {256, 128}, "threads of a block"},
                parameters::kFactorReads,
                parameters::factors(),
                parameters::output()},
      .objection = [](const Config& config, const Shape& shape,
                      const DeviceTraits&) { return grid_objection(naive_grid(config, shape)); },
      .plan = naive_plan};
}

TiledLayout layout_of(const Config& config, const Shape& shape) {
  TiledLayout layout;
  layout.rank = shape.rank;
  layout.tile = config.integer("tile");
  layout.bin = config.integer("bin");
  layout.threads = config.integer("threads");
  layout.symmetric = !config.is("symmetry", "full");
  layout.output_bytes = parameters::matrices_type(config) == Scalar::fp16 ? 2 : 4;
  layout.buffers = config.integer("buffers");
  return layout;
}

std::optional<std::string> tiled_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  const TiledLayout layout = layout_of(config, shape);
  if (layout.shared_bytes() > traits.shared_bytes_per_block)
    return fmt::format("needs {} bytes of shared memory a block, the device has {}",
                       layout.shared_bytes(), traits.shared_bytes_per_block);
  if (layout.buffers > 1 && parameters::factors_type(config) == Scalar::fp16)
    return "buffers=2 copies factors unchanged into shared memory, which holds FP32";
  if (layout.buffers > 1 && traits.architecture < 80)
    return "buffers=2 needs asynchronous copies (sm_80 or newer)";
  return grid_objection(shape.launch_rows() * layout.passes());
}

KernelPlan tiled_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  const TiledLayout layout = layout_of(config, shape);
  KernelLaunch launch;
  launch.source = "kernels/cuda/hermitian/tiled.cuh";
  launch.instance = fmt::format(
      "alsbench::tiled_hermitian<{}, {}, {}, {}, {}, alsbench::Gather::{}, {}, {}, {}, {}, "
      "alsbench::Phase::{}>",
      layout.rank, layout.tile, layout.bin, layout.threads, layout.buffers, config.get("gather"),
      config.is("l1", "on"), layout.symmetric, element_type(parameters::factors_type(config)),
      element_type(parameters::matrices_type(config)), config.get("phase"));
  launch.grid = shape.launch_rows() * layout.passes();
  launch.block = layout.threads;
  launch.shared_bytes = layout.shared_bytes();
  return {{launch}, 0};
}

Variant tiled() {
  return {
      .stage = &stages::hermitian,
      .name = "tiled",
      .backend = Backend::cuda,
      .summary = "register tiles over factor rows staged in shared memory (paper, section III)",
      .space = {parameters::kGather,
                parameters::kFactorReads,
                {"tile", {10, 8, 5, 4}, "a thread accumulates tile x tile entries of A_u"},
                {"bin", {32, 16, 64}, "factor rows in the shared buffer"},
                {"threads",
                 {64, 128, 256},
                 "of a block; more than the tiles share the rows of a bin"},
                {"buffers", {1, 2}, "2 gathers a bin while the bin before is accumulated"},
                {"symmetry",
                 {"half", "full"},
                 "compute the lower triangle and mirror it, or all of A_u"},
                parameters::factors(),
                parameters::output(),
                {.name = "phase",
                 .values = {"all", "load", "compute", "write"},
                 .description = "the whole kernel, or one phase alone for timing (paper, Fig. 4)",
                 .effect = Effect::diagnostic}},
      .objection = tiled_objection,
      .plan = tiled_plan};
}

PieceWorkspace workspace_of(const Config& config, const Shape& shape) {
  const TiledLayout layout = layout_of(config, shape);
  return {shape.nnz, config.integer("chunk"),
          int64_t{4} * layout.tiles() * layout.tile * layout.tile};
}

std::optional<std::string> split_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  if (const auto objection = tiled_objection(config, shape, traits)) return objection;
  const PieceWorkspace workspace = workspace_of(config, shape);
  if (const auto objection = pieces::objection(workspace, traits)) return objection;
  return grid_objection((shape.launch_rows() + workspace.max_items()) *
                        layout_of(config, shape).passes());
}

KernelPlan split_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const TiledLayout layout = layout_of(config, shape);
  const PieceWorkspace workspace = workspace_of(config, shape);
  const std::string tiles = fmt::format("{}, {}, {}, {}, {}", layout.rank, layout.tile, layout.bin,
                                        layout.threads, layout.buffers);
  KernelPlan plan = pieces::prelude(workspace, /* ordered */ false, shape.launch_rows(), traits);
  KernelLaunch split;
  split.source = "kernels/cuda/hermitian/split.cuh";
  split.instance = fmt::format("alsbench::split_hermitian<{}, alsbench::Gather::{}, {}, {}, {}>",
                               tiles, config.get("gather"), config.is("l1", "on"),
                               element_type(parameters::factors_type(config)),
                               element_type(parameters::matrices_type(config)));
  split.grid = (shape.launch_rows() + workspace.max_items()) * layout.passes();
  split.block = layout.threads;
  split.shared_bytes = layout.shared_bytes();

  KernelLaunch sum = split;
  sum.instance = fmt::format("alsbench::split_sum<{}, {}>", tiles,
                             element_type(parameters::matrices_type(config)));
  sum.grid = std::max<int64_t>(1, workspace.max_split_rows() * layout.passes());
  plan.launches.push_back(std::move(split));
  plan.launches.push_back(std::move(sum));
  return plan;
}

Variant split() {
  return {.stage = &stages::hermitian,
          .name = "split",
          .backend = Backend::cuda,
          .summary = "tiled, long rows cut into pieces that are summed afterwards",
          .space = {parameters::kGather,
                    parameters::kFactorReads,
                    {"tile", {10, 8, 5}, "a thread accumulates tile x tile entries of A_u"},
                    {"bin", {32, 16, 64}, "factor rows in the shared buffer"},
                    {"threads",
                     {128, 64, 96, 256},
                     "of a block; more than the tiles share the rows of a bin"},
                    {"buffers", {2, 1}, "2 gathers a bin while the bin before is accumulated"},
                    parameters::chunk({4096, 1024, 2048, 8192}),
                    parameters::factors({"fp32"}),
                    parameters::output()},
          .objection = split_objection,
          .plan = split_plan};
}

}  // namespace

void add_hermitian_cuda(Catalog& catalog) {
  catalog.add(naive());
  catalog.add(tiled());
  catalog.add(split());
}

}  // namespace alsbench
