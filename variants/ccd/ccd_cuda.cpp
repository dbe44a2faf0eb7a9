// SPDX-License-Identifier: Apache-2.0
// CUDA variants of the stages of CCD++.
#include <fmt/format.h>

#include <algorithm>

#include "variants/ccd/ccd.h"
#include "variants/families.h"

namespace alsbench {
namespace {

ParameterSpace update_space() {
  return {{.name = "long",
           .values = {2048, 512, 8192},
           .description = "rows of more ratings have a block each",
           .effect = Effect::storage,
           .operand = Operand::ratings},
          {"lanes", {16, 8, 32}, "lanes that share any other row"},
          {"ahead", {4, 2, 8}, "ratings that a thread has under way"},
          {"threads", {256, 128, 512}, "threads of a block"}};
}

// How many rows are long is the ratings' to say: no more than so many can be.
int64_t max_blocks(const Config& config, const Shape& shape) {
  const int64_t rows = config.integer("threads") / config.integer("lanes");  // of a block
  const int64_t max_long_rows = std::min(shape.rows, shape.nnz / (config.integer("long") + 1));
  return std::max<int64_t>(1, max_long_rows + (shape.rows + rows - 1) / rows);
}

KernelLaunch pass(const Config& config, const Shape& shape, bool changes, bool sums) {
  KernelLaunch launch;
  launch.source = "kernels/cuda/ccd/update.cuh";
  launch.instance = fmt::format("alsbench::ccd_update<{}, {}, {}, {}, {}>", config.get("threads"),
                                config.get("lanes"), config.get("ahead"), changes, sums);
  launch.grid = max_blocks(config, shape);
  launch.block = config.integer("threads");
  return launch;
}

KernelPlan next_plan(const Config& config, const Shape& shape, const DeviceTraits&) {
  const int threads = config.integer("threads");
  KernelLaunch launch;
  launch.source = "kernels/cuda/ccd/next.cuh";
  launch.instance = fmt::format("alsbench::ccd_next<{}>", threads);
  launch.grid = std::max<int64_t>(1, (shape.rows + threads - 1) / threads);
  launch.block = threads;
  return {{launch}, 0};
}

}  // namespace

void add_ccd_cuda(Catalog& catalog) {
  catalog.add(
      {.stage = &stages::ccd_update,
       .name = "separate",
       .backend = Backend::cuda,
       .summary = "all residuals, then all values; a block a long row, some lanes any other",
       .space = update_space(),
       .plan = [](const Config& config, const Shape& shape, const DeviceTraits&) -> KernelPlan {
         return {{pass(config, shape, true, false), pass(config, shape, false, true)}, 0};
       }});
  catalog.add(
      {.stage = &stages::ccd_update,
       .name = "fused",
       .backend = Backend::cuda,
       .summary = "residuals and values in one pass; a block a long row, some lanes any other",
       .space = update_space(),
       .plan = [](const Config& config, const Shape& shape, const DeviceTraits&) -> KernelPlan {
         return {{pass(config, shape, true, true)}, 0};
       }});
  catalog.add({.stage = &stages::ccd_next,
               .name = "rows",
               .backend = Backend::cuda,
               .summary = "a thread a row",
               .space = {{"threads", {256, 128}, "threads of a block"}},
               .plan = next_plan});
}

}  // namespace alsbench
