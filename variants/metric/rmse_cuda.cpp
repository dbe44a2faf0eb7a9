// SPDX-License-Identifier: Apache-2.0
// The CUDA variant of the stage rmse.
#include <fmt/format.h>

#include "kernels/shared/params/metric.h"
#include "variants/families.h"
#include "variants/metric/stages.h"

namespace alsbench {
namespace {

Variant rows() {
  Variant variant;
  variant.stage = &stages::rmse;
  variant.name = "rows";
  variant.backend = Backend::cuda;
  variant.summary = "a warp a row, a lane a rating, double sums in a fixed order";
  variant.space = {{"threads", {256, 128}, "threads of a block"}};
  variant.plan = [](const Config& config, const Shape& shape, const DeviceTraits&) {
    KernelLaunch launch;
    launch.source = "kernels/cuda/metric/rmse_rows.cuh";
    launch.instance = fmt::format("alsbench::rmse_rows<{}, {}>", shape.rank, config.get("threads"));
    launch.grid = kRmsePartials;
    launch.block = config.integer("threads");
    return KernelPlan{{launch}, 0};
  };
  return variant;
}

}  // namespace

void add_rmse_cuda(Catalog& catalog) { catalog.add(rows()); }

}  // namespace alsbench
