// SPDX-License-Identifier: Apache-2.0
// The CUDA variant of the stage rmse.
#include <fmt/format.h>

#include "kernels/shared/params/metric.h"
#include "variants/families.h"
#include "variants/metric/stages.h"

namespace alsbench {
namespace {

Variant rows() {
  return {.stage = &stages::rmse,
          .name = "rows",
          .backend = Backend::cuda,
          .summary = "a warp or a block a row, a thread a rating, double sums in a fixed order",
          .space = {{"threads", {256, 128}, "threads of a block"}},
          .plan = [](const Config& config, const Shape& shape, const DeviceTraits&) {
            KernelLaunch launch;
            launch.source = "kernels/cuda/metric/rmse_rows.cuh";
            launch.instance =
                fmt::format("alsbench::rmse_rows<{}, {}>", shape.rank, config.get("threads"));
            launch.grid = kRmsePartials;
            launch.block = config.integer("threads");
            return KernelPlan{{launch}, 0};
          }};
}

}  // namespace

void add_rmse_cuda(Catalog& catalog) { catalog.add(rows()); }

}  // namespace alsbench
