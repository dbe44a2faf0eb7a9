// SPDX-License-Identifier: Apache-2.0
// The shape that `list` and `compile` judge points on when no problem is named: the users of the
// Netflix data set.
#pragma once

#include "variants/core/shape.h"

namespace alsbench {

// Row lengths: lognormal(mu = ln 96, sigma = 1.248) cut to [1, 17770], at the shape's quantiles.
inline Shape netflix_shape(int32_t rank) {
  return {480189, 17770, 99072112, rank, {1, 41, 96, 223, 475, 1750, 17770}, 0};
}

}  // namespace alsbench
