// SPDX-License-Identifier: Apache-2.0
// Arguments of the stages that turn factors into another basis: gram and rotate. X V and Theta V
// predict what X and Theta do, for any orthogonal V.
#pragma once

#include "kernels/shared/views.h"

namespace alsbench {

// gram = sum over rows j of n_j y_j y_j^T, n_j being the number of ratings of row j.
struct GramParams {
  RatingsView ratings;    // of the side that the factors are of
  FactorsView factors;    // float; ratings.rows rows
  float* gram = nullptr;  // rank x rank, dense and symmetric
  void* workspace = nullptr;
  int32_t slices = 0;  // CUDA: of the rows, summed by themselves
};

// Row i of the target is row i of the source times the basis.
struct RotateParams {
  FactorsView source;            // float
  FactorsView target;            // float, other memory, whose padding is zero
  const float* basis = nullptr;  // rank x rank, row-major
};

}  // namespace alsbench
