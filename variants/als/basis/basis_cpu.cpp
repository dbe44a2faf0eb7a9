// SPDX-License-Identifier: Apache-2.0
// CPU variants of the stages gram and rotate.
#include "kernels/cpu/basis.h"
#include "variants/als/stages.h"
#include "variants/core/cpu_resources.h"
#include "variants/families.h"

namespace alsbench {

void add_basis_cpu(Catalog& catalog) {
  catalog.add({.stage = &stages::gram,
               .name = "tiled",
               .summary = "64 ranges of rows, each a triangle of register tiles, added in order",
               .run = run_on_cpu<GramParams, gram_blocked>});
  catalog.add({.stage = &stages::rotate,
               .name = "tiled",
               .summary = "a row at a time as a sum of rows of the basis",
               .run = run_on_cpu<RotateParams, rotate_rows>});
}

}  // namespace alsbench
