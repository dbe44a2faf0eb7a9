// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stages of CCD++.
#include "kernels/cpu/ccd.h"
#include "variants/ccd/ccd.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {

void add_ccd_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::ccd_update,
               .name = "separate",
               .summary = "all residuals, then all values, in pieces of equally many ratings",
               .run = run_on_cpu<CcdUpdateParams, ccd_separate>});
  catalog.add({.stage = &stages::ccd_update,
               .name = "fused",
               .summary = "a row's residuals, then its value, in pieces of equally many ratings",
               .run = run_on_cpu<CcdUpdateParams, ccd_fused>});
  catalog.add({.stage = &stages::ccd_next,
               .name = "rows",
               .summary = "a row at a time",
               .run = run_on_cpu<CcdNextParams, ccd_next>});
}

}  // namespace alsbench
