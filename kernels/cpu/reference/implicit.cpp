// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/reference/implicit.h"

#include <cmath>

namespace alsbench::reference {
namespace {

const float* row_of(const FactorsView& factors, int64_t row) {
  return static_cast<const float*>(factors.data) + row * factors.pitch;
}

double added(float rating, float alpha) { return rating > 0 ? double{alpha} * double{rating} : 0; }

}  // namespace

ImplicitRow implicit_row(const ImplicitParams& params, int64_t row) {
  const UpdateParams& update = params.update;
  const int64_t rank = update.factors.rank;
  const int64_t begin = update.ratings.offsets[row], end = update.ratings.offsets[row + 1];
  ImplicitRow result{Vector(static_cast<size_t>(rank * rank)), Vector(static_cast<size_t>(rank)),
                     Vector(static_cast<size_t>(rank))};
  if (end > begin) result.a.assign(params.gram, params.gram + rank * rank);
  for (int64_t k = begin; k < end; ++k) {
    const float rating = update.ratings.values[k];
    const double weight = added(rating, params.alpha);
    const float* theta = row_of(update.factors, update.ratings.indices[k]);
    for (int64_t i = 0; i < rank; ++i) {
      for (int64_t j = 0; j < rank; ++j)
        result.a[i * rank + j] += weight * double{theta[i]} * double{theta[j]};
      if (rating > 0) result.b[i] += (1 + weight) * double{theta[i]};
      result.magnitude[i] += (1 + weight) * std::abs(double{theta[i]});
    }
  }
  const double count = params.weighted != 0 ? static_cast<double>(end - begin) : 1;
  for (int64_t i = 0; i < rank; ++i)
    result.a[i * (rank + 1)] += end > begin ? double{update.lambda} * count : 1;
  return result;
}

ImplicitLoss implicit_loss(const ImplicitLossParams& params, int64_t first, int64_t last) {
  ImplicitLoss sums;
  for (int64_t row = first; row < last; ++row) {
    const float* x = row_of(params.x, row);
    for (int64_t k = params.ratings.offsets[row]; k < params.ratings.offsets[row + 1]; ++k) {
      const float* theta = row_of(params.theta, params.ratings.indices[k]);
      double s = 0, magnitude = 0;
      for (int32_t i = 0; i < params.x.rank; ++i) {
        s += double{x[i]} * double{theta[i]};
        magnitude += std::abs(double{x[i]} * double{theta[i]});
      }
      const double p = params.ratings.values[k] > 0 ? 1 : 0;
      const double weight = added(params.ratings.values[k], params.alpha);
      sums.loss += (1 + weight) * (p - s) * (p - s) - s * s;
      sums.square += s * s;
      sums.confidence += weight;
      sums.loss_magnitude += (1 + weight) * (p - s) * (p - s) + s * s +
                             2 * ((1 + weight) * std::abs(p - s) + std::abs(s)) * magnitude;
      sums.square_magnitude += 2 * std::abs(s) * magnitude;
    }
  }
  return sums;
}

}  // namespace alsbench::reference
