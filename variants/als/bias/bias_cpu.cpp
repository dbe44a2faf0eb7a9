// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stage bias.
#include "kernels/cpu/bias.h"
#include "variants/als/parameters.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {

void add_bias_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::bias,
               .name = "rows",
               .summary = "adds the factor rows of a user's ratings, one row after another",
               .space = {parameters::factors()},
               .run = [](const Config& config, const Shape&, const StageParams& params,
                         const RunContext& context) {
                 bias_rows(params.as<UpdateParams>(),
                           parameters::factors_type(config) == Scalar::fp16,
                           cpu_resources(context));
               }});
}

}  // namespace alsbench
