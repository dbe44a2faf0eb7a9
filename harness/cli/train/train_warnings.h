// SPDX-License-Identifier: Apache-2.0
// Warnings of `alsbench train`, on stderr.
#pragma once

#include "harness/data/csr.h"
#include "harness/train/train.h"

namespace alsbench {

// Of what makes a test metric say little.
void warn_before_training(const TrainOptions& train, const RatingSet& set);
// Of what the user asked for and did not get, and of overfitting.
void warn_after_training(const TrainOptions& train, const TrainResult& result);

}  // namespace alsbench
