// SPDX-License-Identifier: Apache-2.0
// The oracle of the stage ccd_update (kernels/shared/params/ccd.h): a row in double.
#pragma once

#include "kernels/cpu/reference/reference.h"
#include "kernels/shared/params/ccd.h"

namespace alsbench::reference {

struct CcdRow {
  Vector residuals, residual_magnitudes;  // of each rating, and what its rounding is relative to
  double now = 0, magnitude = 0;          // of the row's value, the same
};

// On host pointers. A row without ratings has now = before.
CcdRow ccd_row(const CcdUpdateParams& params, int64_t row);

}  // namespace alsbench::reference
