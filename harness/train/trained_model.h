// SPDX-License-Identifier: Apache-2.0
// The model of a training in memory, as read_model() gives that of its folder.
#pragma once

#include <vector>

#include "harness/model/model.h"
#include "harness/model/model_matrix.h"
#include "harness/train/train.h"

namespace alsbench {

// Without a folder and a source. `factors`: those of the result.
Model model_of(const TrainOptions& options, const RatingSet& set, std::vector<ModelMatrix> factors);

}  // namespace alsbench
