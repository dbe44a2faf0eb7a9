// SPDX-License-Identifier: Apache-2.0
// explain(): why a model gives an item its score for a user, by the items that the user rated
// (docs/reference/models.md; section 5 of Hu, Koren and Volinsky, ICDM 2008).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harness/model/model.h"

namespace alsbench {

struct Explanation {
  double score = 0;  // of the user's row solved exactly from these ratings: base and parts
  double base = 0;   // what no rating adds to: the mean and the item's level of a model with biases
  std::vector<double> parts;  // of each rating
};

// `items`, `ratings`: what the user rated, rows of `factors`, which are the items'. Computed in
// double. Throws UsageError where the user's equations have no solution.
Explanation explain(const ModelObjective& objective, std::span<const int32_t> items,
                    std::span<const float> ratings, const NpyMatrix& factors, int64_t item);

}  // namespace alsbench
