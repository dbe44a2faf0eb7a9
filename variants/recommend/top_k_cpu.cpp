// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stage top_k.
#include "kernels/cpu/top_k.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"
#include "variants/recommend/stages.h"

namespace alsbench {

void add_top_k_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::top_k,
               .name = "rows",
               .summary = "a row at a time: a dot product with each item, then a selection",
               .run = run_on_cpu<TopKParams, top_k_rows>});
  catalog.add({.stage = &stages::top_k,
               .name = "blocked",
               .summary = "tiles of scores by OpenBLAS, each selected from while it is in a cache",
               .space = {{"rows", {64, 16, 256}, "rows of a tile"},
                         {"items", {1024, 256, 4096}, "items of a tile"}},
               .run = [](const Config& config, const Shape&, const StageParams& params,
                         const RunContext& context) {
                 top_k_blocked(params.as<TopKParams>(),
                               {config.integer("rows"), config.integer("items")},
                               cpu_resources(context));
               }});
}

}  // namespace alsbench
