// SPDX-License-Identifier: Apache-2.0
#include "harness/train/rating_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "harness/model/prediction.h"

namespace alsbench {
namespace {

constexpr double kLarge = 100;       // no usual scale of ratings has more
constexpr double kMinLambda = 1e-4;  // as a share of the ratings: from here on it does nothing

}  // namespace

double rating_scale(const Csr& ratings) {
  constexpr int64_t kMaxSampled = 1'000'000;
  const int64_t step = std::max<int64_t>(1, ratings.nnz() / kMaxSampled);
  double sum = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < ratings.nnz(); i += step, ++count)
    sum += static_cast<double>(ratings.values[i]) * static_cast<double>(ratings.values[i]);
  return count > 0 ? std::sqrt(sum / static_cast<double>(count)) : 0;
}

void check_rating_scale(const TrainOptions& options, const RatingSet& set) {
  if (options.recipe.algorithm->feedback != kExplicitFeedback) return;
  const double scale = rating_scale(set.by_user);
  const auto lambda = static_cast<double>(options.lambda);
  if (scale <= kLarge || lambda >= kMinLambda * scale) return;
  const double divisor = std::pow(10, std::ceil(std::log10(scale / 10)));
  throw UsageError(fmt::format(
      "ratings of about {:.3g} are too large for a lambda of {:.3g}, which would have no effect; "
      "divide the ratings by {:.15g}, or give a lambda of {:.3g} or more",
      scale, lambda, divisor, std::max(lambda, 0.01) * divisor));
}

}  // namespace alsbench
