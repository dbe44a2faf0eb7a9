// SPDX-License-Identifier: Apache-2.0
// fold_in(): factors of users or items that a model was not trained on, from their ratings and the
// factors of the other side: a half-iteration of the exact pipeline (docs/reference/models.md).
#pragma once

#include <vector>

#include "harness/data/side.h"
#include "harness/device/device.h"
#include "harness/model/model.h"

namespace alsbench {

// The hyper-parameters that a row's equations have. Models of other algorithms for explicit
// feedback are taken for those of ALS, whose objective is theirs.
Config row_hyper(const ModelObjective& objective);

// The new rows, rows x rank; zero for one without ratings. `ratings`: a row for each of them, and a
// column for each row of `fixed`, which are the items' factors where users are new (Side::x).
// Throws UsageError where the equations of a row have no solution, OutOfMemoryError.
std::vector<float> fold_in(Device& device, const ModelObjective& objective, Side side,
                           const Csr& ratings, const NpyMatrix& fixed);

}  // namespace alsbench
