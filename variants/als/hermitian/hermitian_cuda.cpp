// SPDX-License-Identifier: Apache-2.0
// The CUDA variants of the stage hermitian: naive, the paper's get_hermitian (tiled), and the same
// with long rows cut into pieces (split).
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/cuda/hermitian/tiled_layout.cuh"
#include "variants/als/pieces.h"
#include "variants/als/stages.h"
#include "variants/families.h"

namespace alsbench {
namespace {

constexpr int64_t kMostBlocks = (int64_t{1} << 31) - 1;  // of a one-dimensional grid

std::optional<std::string> grid_objection(int64_t blocks) {
  if (blocks <= kMostBlocks) return std::nullopt;
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
  launch.instance =
      fmt::format("alsbench::naive_hermitian<{}, {}, {}, {}, {}>", shape.rank,
                  config.get("threads"), config.is("l1", "on"),
                  element_type(factors_storage(config)), element_type(matrices_storage(config)));
  launch.grid = naive_grid(config, shape);
  launch.block = config.integer("threads");
  return {{launch}, 0};
}

Variant naive() {
  Variant variant;
  variant.stage = &stages::hermitian;
  variant.name = "naive";
  variant.backend = Backend::cuda;
  variant.summary = "one thread an entry of A_u, no shared memory";
  variant.space = {{"threads", {256, 128}, "threads of a block"},
                   {"l1", {"on", "off"}, "factor reads through L1 or past it"},
                   {"factors", {"fp32", "fp16"}, "storage of the fixed factors"},
                   {"output", {"fp32", "fp16"}, "storage of A_u; fp16 holds A_u / n_u"}};
  variant.objection = [](const Config& config, const Shape& shape, const DeviceTraits&) {
    return grid_objection(naive_grid(config, shape));
  };
  variant.plan = naive_plan;
  return variant;
}

TiledLayout layout_of(const Config& config, const Shape& shape) {
  TiledLayout layout;
  layout.rank = shape.rank;
  layout.tile = config.integer("tile");
  layout.bin = config.integer("bin");
  layout.threads = config.integer("threads");
  layout.symmetric = !config.is("symmetry", "full");
  layout.output_bytes = config.is("output", "fp16") ? 2 : 4;
  layout.buffers = config.integer("buffers");
  return layout;
}

std::optional<std::string> tiled_objection(const Config& config, const Shape& shape,
                                           const DeviceTraits& traits) {
  const TiledLayout layout = layout_of(config, shape);
  if (layout.shared_bytes() > traits.shared_bytes_per_block)
    return fmt::format("needs {} bytes of shared memory a block, the device has {}",
                       layout.shared_bytes(), traits.shared_bytes_per_block);
  if (layout.buffers > 1 && config.is("factors", "fp16"))
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
      config.is("l1", "on"), layout.symmetric, element_type(factors_storage(config)),
      element_type(matrices_storage(config)), config.get("phase"));
  launch.grid = shape.launch_rows() * layout.passes();
  launch.block = layout.threads;
  launch.shared_bytes = layout.shared_bytes();
  return {{launch}, 0};
}

Variant tiled() {
  Variant variant;
  variant.stage = &stages::hermitian;
  variant.name = "tiled";
  variant.backend = Backend::cuda;
  variant.summary = "register tiles over factor rows staged in shared memory (paper, section III)";
  variant.space = {
      {"gather",
       {"strided", "coalesced"},
       "a thread (or two) reads a whole factor row, or a warp reads one after another"},
      {"l1", {"on", "off"}, "factor reads through L1 or past it"},
      {"tile", {10, 8, 5, 4}, "a thread accumulates tile x tile entries of A_u"},
      {"bin", {32, 16, 64}, "factor rows in the shared buffer"},
      {"threads", {64, 128, 256}, "of a block; more than the tiles share the rows of a bin"},
      {"buffers", {1, 2}, "2 gathers a bin while the bin before is accumulated"},
      {"symmetry", {"half", "full"}, "compute the lower triangle and mirror it, or all of A_u"},
      {"factors", {"fp32", "fp16"}, "storage of the fixed factors; sums are FP32"},
      {"output", {"fp32", "fp16"}, "storage of A_u; fp16 holds A_u / n_u"},
      {.name = "phase",
       .values = {"all", "load", "compute", "write"},
       .description = "the whole kernel, or one phase alone for timing (paper, Fig. 4)",
       .diagnostic = true}};
  variant.objection = tiled_objection;
  variant.plan = tiled_plan;
  return variant;
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
  return grid_objection((shape.launch_rows() + workspace.most_pieces()) *
                        layout_of(config, shape).passes());
}

KernelPlan split_plan(const Config& config, const Shape& shape, const DeviceTraits& traits) {
  const TiledLayout layout = layout_of(config, shape);
  const PieceWorkspace workspace = workspace_of(config, shape);
  const std::string tiles = fmt::format("{}, {}, {}, {}, {}", layout.rank, layout.tile, layout.bin,
                                        layout.threads, layout.buffers);
  KernelPlan plan = pieces::prelude(workspace, false, traits);
  KernelLaunch split;
  split.source = "kernels/cuda/hermitian/split.cuh";
  split.instance =
      fmt::format("alsbench::split_hermitian<{}, alsbench::Gather::{}, {}, {}, {}>", tiles,
                  config.get("gather"), config.is("l1", "on"),
                  element_type(factors_storage(config)), element_type(matrices_storage(config)));
  split.grid = (shape.launch_rows() + workspace.most_pieces()) * layout.passes();
  split.block = layout.threads;
  split.shared_bytes = layout.shared_bytes();

  KernelLaunch sum = split;
  sum.instance =
      fmt::format("alsbench::split_sum<{}, {}>", tiles, element_type(matrices_storage(config)));
  sum.grid = std::max<int64_t>(1, workspace.most_split_rows() * layout.passes());
  plan.launches.push_back(std::move(split));
  plan.launches.push_back(std::move(sum));
  return plan;
}

Variant split() {
  Variant variant;
  variant.stage = &stages::hermitian;
  variant.name = "split";
  variant.backend = Backend::cuda;
  variant.summary = "tiled, long rows cut into pieces that are summed afterwards";
  variant.space = {
      {"gather",
       {"strided", "coalesced"},
       "a thread (or two) reads a whole factor row, or a warp reads one after another"},
      {"l1", {"on", "off"}, "factor reads through L1 or past it"},
      {"tile", {10, 8, 5}, "a thread accumulates tile x tile entries of A_u"},
      {"bin", {32, 16, 64}, "factor rows in the shared buffer"},
      {"threads", {128, 64, 96, 256}, "of a block; more than the tiles share the rows of a bin"},
      {"buffers", {2, 1}, "2 gathers a bin while the bin before is accumulated"},
      {"chunk", {4096, 1024, 2048, 8192}, "longer rows are cut into pieces of this many"},
      {"factors", {"fp32"}, "storage of the fixed factors"},
      {"output", {"fp32", "fp16"}, "storage of A_u; fp16 holds A_u / n_u"}};
  variant.objection = split_objection;
  variant.plan = split_plan;
  return variant;
}

}  // namespace

void add_hermitian_cuda(Catalog& catalog) {
  catalog.add(naive());
  catalog.add(tiled());
  catalog.add(split());
}

}  // namespace alsbench
