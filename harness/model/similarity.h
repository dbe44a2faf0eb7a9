// SPDX-License-Identifier: Apache-2.0
// Similarity: which rows of a side are alike, by the cosine of their factors: x . y / (|x| |y|).
#pragma once

#include "harness/model/model.h"

namespace alsbench {

// A model whose scores are the cosines of the first `features` columns of the rows of `side`, which
// are its users and its items. Cold rows stay cold, and so are rows of zeros, which have no
// direction. For Recommender.
Model cosine_model(const ModelSide& side, int64_t features);

}  // namespace alsbench
