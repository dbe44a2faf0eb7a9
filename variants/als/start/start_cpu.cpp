// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stages subsample and blend.
#include "kernels/cpu/start.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {

void add_start_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::subsample,
               .name = "rows",
               .summary = "copies the subsampled cells of one row after another",
               .run = run_on_cpu<SubsampleParams, subsample_rows>});
  catalog.add({.stage = &stages::blend,
               .name = "elements",
               .summary = "a row at a time",
               .run = run_on_cpu<BlendParams, blend_rows>});
}

}  // namespace alsbench
