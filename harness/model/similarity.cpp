// SPDX-License-Identifier: Apache-2.0
#include "harness/model/similarity.h"

#include <cmath>

#include "harness/data/array_builder.h"

namespace alsbench {
namespace {

double length_of(const float* row, int64_t rank) {
  double sum = 0;
  for (int64_t i = 0; i < rank; ++i)
    sum += static_cast<double>(row[i]) * static_cast<double>(row[i]);
  return std::sqrt(sum);
}

}  // namespace

ModelSide unit_side(const ModelSide& side, int64_t features) {
  ArrayBuilder<float> unit(side.rows() * features);
  ModelSide rows;
  rows.cold = side.cold;
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t row = 0; row < side.rows(); ++row) {
    const double length = length_of(side.row(row), features);
    if (length == 0) rows.cold[static_cast<size_t>(row)] = 1;
    for (int64_t i = 0; i < features; ++i)
      unit[row * features + i] =
          length == 0 ? 0 : static_cast<float>(static_cast<double>(side.row(row)[i]) / length);
  }
  rows.factors = {unit.freeze(), side.rows(), features};
  return rows;
}

}  // namespace alsbench
