// SPDX-License-Identifier: Apache-2.0
// The oracle of the stage sgd_epoch: one update in double (kernels/shared/params/sgd.h), and how
// far off the same update in float may be.
#pragma once

#include "kernels/cpu/reference/reference.h"

namespace alsbench::reference {

// A factor row on its way through an epoch.
struct SgdRow {
  Vector values;
  // Of the error of each element in float arithmetic: rounding errors have random signs, and what a
  // row takes over from its partner's error adds to its own (first order).
  Vector variance;
  int64_t updates = 0;

  explicit SgdRow(Vector start);
};

struct SgdStep {
  double rate = 0, lambda = 0;
  // The largest errors of a stored element: relative, and absolute where it is too small for that.
  // 2^-11 and 2^-25 in half, 0 in float.
  double storage = 0, min_storage = 0;
};

void sgd_update(SgdRow& x, SgdRow& theta, double rating, const SgdStep& step);

}  // namespace alsbench::reference
