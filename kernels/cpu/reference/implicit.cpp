// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/reference/implicit.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/shared/implicit_weights.h"

namespace alsbench::reference {
namespace {

const float* row_of(const FactorsView& factors, int64_t row) {
  return static_cast<const float*>(factors.data) + row * factors.pitch;
}

// c - 1; `direct` as of cell_weights.
double added(float rating, float alpha, int32_t direct) {
  const double scaled = double{alpha} * std::abs(double{rating});
  return direct != 0 ? scaled - 1 : rating > 0 ? scaled : 0;
}

// The state before the first rating.
ImplicitRow begun_row(const ImplicitParams& params, int64_t count) {
  const int64_t rank = params.update.factors.rank;
  ImplicitRow result{Vector(static_cast<size_t>(rank * rank)), Vector(static_cast<size_t>(rank)),
                     Vector(static_cast<size_t>(rank))};
  if (count > 0) result.a.assign(params.gram, params.gram + rank * rank);
  const double weight = params.weighted != 0 ? static_cast<double>(count) : 1;
  for (int64_t i = 0; i < rank; ++i)
    result.a[i * (rank + 1)] += count > 0 ? double{params.update.lambda} * weight : 1;
  return result;
}

}  // namespace

ImplicitRow implicit_row(const ImplicitParams& params, int64_t row) {
  const UpdateParams& update = params.update;
  const int64_t rank = update.factors.rank;
  const int64_t begin = update.ratings.offsets[row], end = update.ratings.offsets[row + 1];
  ImplicitRow result = begun_row(params, end - begin);
  for (int64_t k = begin; k < end; ++k) {
    const float rating = update.ratings.values[k];
    const double weight = added(rating, params.alpha, params.direct);
    const float* theta = row_of(update.factors, update.ratings.indices[k]);
    for (int64_t i = 0; i < rank; ++i) {
      for (int64_t j = 0; j < rank; ++j)
        result.a[i * rank + j] += weight * double{theta[i]} * double{theta[j]};
      if (rating > 0) result.b[i] += (1 + weight) * double{theta[i]};
      result.magnitude[i] += (1 + weight) * std::abs(double{theta[i]});
    }
  }
  return result;
}

ImplicitRow weighted_implicit_row(const ImplicitParams& params, int64_t row,
                                  float (*round)(float)) {
  const UpdateParams& update = params.update;
  const int64_t rank = update.factors.rank;
  const int64_t begin = update.ratings.offsets[row], end = update.ratings.offsets[row + 1];
  const WeightScale scale =
      weight_scale(std::bit_cast<uint32_t>(params.alpha / update.ratings.half_scale));
  const auto s = std::bit_cast<float>(scale.weight_bits);
  ImplicitRow result = begun_row(params, end - begin);
  Vector h(static_cast<size_t>(rank));
  for (int64_t k = begin; k < end; ++k) {
    const float confidence = added_confidence(update.ratings.values[k], params.alpha);
    const float weight = round(std::sqrt(s * confidence));
    if (weight == 0) continue;
    const float* theta = row_of(update.factors, update.ratings.indices[k]);
    std::transform(theta, theta + rank, h.begin(),
                   [&](float value) { return double{round(weight * value)}; });
    const double target = (1 + double{confidence}) / double{weight};  // q / t
    for (int64_t i = 0; i < rank; ++i) {
      for (int64_t j = 0; j < rank; ++j) result.a[i * rank + j] += h[i] * h[j] / double{s};
      result.b[i] += target * h[i];
      result.magnitude[i] += std::abs(target * h[i]);
    }
  }
  return result;
}

ImplicitRow summed_implicit_row(const ImplicitParams& params, int64_t row) {
  const UpdateParams& update = params.update;
  const int64_t rank = update.factors.rank;
  const int64_t begin = update.ratings.offsets[row], end = update.ratings.offsets[row + 1];
  ImplicitRow result = begun_row(params, end - begin);
  for (int64_t k = begin; k < end; ++k) {
    const double target = update.ratings.values[k];
    const float* h = row_of(update.factors, update.ratings.indices[k]);
    for (int64_t i = 0; i < rank; ++i) {
      for (int64_t j = 0; j < rank; ++j) result.a[i * rank + j] += double{h[i]} * double{h[j]};
      result.b[i] += target * double{h[i]};
      result.magnitude[i] += std::abs(target * double{h[i]});
    }
  }
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
      const double weight = added(params.ratings.values[k], params.alpha, params.direct);
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
