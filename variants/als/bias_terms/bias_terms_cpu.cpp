// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stages centre and level_columns.
#include "kernels/cpu/levels.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {

void add_bias_terms_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::centre,
               .name = "elements",
               .summary = "a rating at a time",
               .run = run_on_cpu<CentreParams, centre_ratings>});
  catalog.add({.stage = &stages::level_columns,
               .name = "rows",
               .summary = "a row at a time",
               .run = run_on_cpu<LevelColumnsParams, set_level_columns>});
}

}  // namespace alsbench
