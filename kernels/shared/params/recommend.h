// SPDX-License-Identifier: Apache-2.0
// Arguments of the stage that recommends. Every kernel of it, CUDA or CPU, takes them by value.
#pragma once

#include "kernels/shared/types.h"
#include "kernels/shared/views.h"

namespace alsbench {

// The stage top_k: for each row of `x` the k rows of `theta` with the largest x . theta that its
// row of `seen` does not name, best first. Equal scores are in the order of theta's rows. Where
// fewer are left, the last items are -1 and their scores -infinity.
struct TopKParams {
  RatingsView seen;   // x.rows x theta.rows; its values are not read
  FactorsView x;      // float
  FactorsView theta;  // float
  int32_t k = 0;
  int32_t* items = nullptr;   // x.rows x k
  float* scores = nullptr;    // x.rows x k
  void* workspace = nullptr;  // CUDA: as many bytes as the variant's plan asked for
};
// The k that the stage is verified and measured with.
inline constexpr int kMeasuredTopK = 100;

}  // namespace alsbench
