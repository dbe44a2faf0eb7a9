// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/reference/sgd.h"

#include <cmath>
#include <utility>

namespace alsbench::reference {
namespace {

double square(double value) { return value * value; }

// Of an error that is uniform up to `bound` in either direction.
double variance_within(double bound) { return square(bound) / 3; }

}  // namespace

SgdRow::SgdRow(Vector start) : values(std::move(start)), variance(values.size(), 0.0) {}

void sgd_update(SgdRow& x, SgdRow& theta, double rating, const SgdStep& step) {
  constexpr double kFloat = 0x1p-24;
  const size_t rank = x.values.size();
  double error = rating, terms = std::abs(rating), error_variance = 0;
  for (size_t i = 0; i < rank; ++i) {
    error -= x.values[i] * theta.values[i];
    terms += std::abs(x.values[i] * theta.values[i]);
    error_variance +=
        square(x.values[i]) * theta.variance[i] + square(theta.values[i]) * x.variance[i];
  }
  // each of `rank` additions rounds a partial sum, which is no larger than all terms
  error_variance += static_cast<double>(rank) * variance_within(kFloat * terms);
  const double kept = 1 - step.rate * step.lambda, added = step.rate * error;
  const auto update = [&](double& own, double& variance, double other, double other_variance) {
    const double magnitude = std::abs(kept * own) + std::abs(added * other);
    own = kept * own + added * other;
    // roundings of `kept` and of `added`, of both products and of their sum
    variance = square(kept) * variance + square(added) * other_variance +
               square(step.rate * other) * error_variance +
               5 * variance_within(kFloat * magnitude) +
               variance_within(step.storage * std::abs(own) + step.min_storage);
  };
  for (size_t i = 0; i < rank; ++i) {
    const double own = x.values[i], own_variance = x.variance[i];
    update(x.values[i], x.variance[i], theta.values[i], theta.variance[i]);
    update(theta.values[i], theta.variance[i], own, own_variance);
  }
  ++x.updates;
  ++theta.updates;
}

}  // namespace alsbench::reference
