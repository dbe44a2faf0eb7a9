// SPDX-License-Identifier: Apache-2.0
// CUDA variants of the stages subsample and blend.
#include <fmt/format.h>

#include <algorithm>

#include "variants/als/stages.h"
#include "variants/families.h"

namespace alsbench {
namespace {

KernelPlan subsample_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/start/subsample.cuh";
  launch.instance = fmt::format("alsbench::subsample_rows<{}>", config.get("threads"));
  launch.grid = std::max<int64_t>(1, shape.rows);
  launch.block = config.integer("threads");
  return {{launch}, 0};
}

KernelPlan blend_plan(const Config&, const Shape&, const DeviceTraits& traits) {
  constexpr int kThreads = 256, kBlocks = 8;  // of a multiprocessor
  KernelLaunch launch;
  launch.source = "kernels/cuda/start/blend.cuh";
  launch.instance = fmt::format("alsbench::blend_elements<{}>", kThreads);
  launch.grid = int64_t{kBlocks} * traits.multiprocessors;
  launch.block = kThreads;
  return {{launch}, 0};
}

}  // namespace

void add_start_cuda(Catalog& catalog) {
  catalog.add({.stage = &stages::subsample,
               .name = "rows",
               .backend = Backend::cuda,
               .summary = "a block copies the subsampled cells of a row",
               .space = {{"threads", {64, 32, 128, 256}, "threads of a block"}},
               .plan = subsample_plan});
  catalog.add({.stage = &stages::blend,
               .name = "elements",
               .backend = Backend::cuda,
               .summary = "a thread four elements",
               .plan = blend_plan});
}

}  // namespace alsbench
