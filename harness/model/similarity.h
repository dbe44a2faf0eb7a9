// SPDX-License-Identifier: Apache-2.0
// Similarity: which rows of a side are alike, by the cosine of their factors: x . y / (|x| |y|).
#pragma once

#include "harness/model/model.h"

namespace alsbench {

// A side whose products are the cosines of the first `features` columns of the rows of `side`. Cold
// rows stay cold, and so are rows of zeros, which have no direction. For Recommender.
ModelSide unit_side(const ModelSide& side, int64_t features);

}  // namespace alsbench
