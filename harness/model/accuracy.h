// SPDX-License-Identifier: Apache-2.0
// Accuracy: how far a model's predictions are off test ratings.
#pragma once

#include <cstdint>

#include "harness/data/csr.h"
#include "harness/model/model.h"

namespace alsbench {

struct Accuracy {
  int64_t ratings = 0;
  int64_t cold = 0;  // of them, predicted without factors
  double rmse = 0;
  double mae = 0;
};

// `test`: ratings in the rows of the model, at least one; rows past its last are cold. The result
// does not depend on the number of threads.
Accuracy accuracy_of(const Model& model, const Csr& test);

}  // namespace alsbench
