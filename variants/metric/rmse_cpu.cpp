// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stage rmse.
#include "kernels/cpu/rmse.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"
#include "variants/metric/stages.h"

namespace alsbench {

void add_rmse_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::rmse,
               .name = "rows",
               .summary = "sums squared errors over contiguous ranges of rows",
               .run = [](const Config&, const Shape&, const StageParams& params,
                         const RunContext& context) {
                 rmse_rows(params.as<RmseParams>(), cpu_resources(context));
               }});
}

}  // namespace alsbench
