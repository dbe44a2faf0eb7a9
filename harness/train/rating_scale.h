// SPDX-License-Identifier: Apache-2.0
// Whether ratings and lambda are of one scale. Ratings c times as large have the same model with c
// times the lambda; with the same lambda they have next to none, and precision is lost.
#pragma once

#include "harness/data/csr.h"
#include "harness/train/train.h"

namespace alsbench {

// The root of the mean square of ratings, of at most a million that are evenly spaced.
double rating_scale(const Csr& ratings);

// Throws UsageError where explicit ratings are large, and lambda is nothing beside them.
void check_rating_scale(const TrainOptions& options, const RatingSet& set);

}  // namespace alsbench
