// SPDX-License-Identifier: Apache-2.0
// hermitian/planted/cpu: a correct kernel that does some of its work twice. Hidden: run only when
// named.
#include <cmath>

#include "kernels/cpu/hermitian.h"
#include "tests/chaos/families.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"

namespace alsbench {

void add_planted_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::hermitian,
               .name = "planted",
               .backend = Backend::cpu,
               .summary = "slower on purpose, to test comparisons",
               .space = {{.name = "extra",
                          .values = {0},
                          .description = "percent of the work that is done twice",
                          .open = true,
                          .unnamed = true}},
               .run =
                   [](const Config& config, const Shape&, const StageParams& params,
                      const RunContext& context) {
                     UpdateParams update = params.as<UpdateParams>();
                     hermitian_naive(update, HermitianOptions(), cpu_resources(context));
                     // Whole times first, then a part of the rows.
                     double extra = config.number("extra") / 100;
                     while (extra > 0) {
                       const auto rows = static_cast<double>(update.row_count);
                       UpdateParams again = update;
                       again.row_count =
                           static_cast<int64_t>(std::ceil(rows * std::min(1.0, extra)));
                       hermitian_naive(again, HermitianOptions(), cpu_resources(context));
                       extra -= 1;
                     }
                   },
               .hidden = true});
}

}  // namespace alsbench
