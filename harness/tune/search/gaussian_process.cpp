// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace alsbench {
namespace {

constexpr double kMinRelevance = 0.02, kMaxRelevance = 50;
constexpr double kSlope = 0.3;        // variance of what is expected's slope
constexpr double kMaxDistance = 1.5;  // distance of two different words, or of the ends of an order
constexpr double kMinVariance = 1e-9, kMinSignal = 1e-8;

// Mean and variance of values that are likeliest (Rasmussen and Williams, 2.7 and 5.4). `ones` and
// `values` are those times L^-1; the mean is taken off the latter.
struct Likeliest {
  double mean = 0, variance = 0;
};
Likeliest likeliest(const std::vector<double>& ones, std::vector<double>& values) {
  Likeliest found;
  found.mean = std::inner_product(ones.begin(), ones.end(), values.begin(), 0.0) /
               std::inner_product(ones.begin(), ones.end(), ones.begin(), 0.0);
  for (size_t i = 0; i < values.size(); ++i) values[i] -= found.mean * ones[i];
  const double square = std::inner_product(values.begin(), values.end(), values.begin(), 0.0);
  found.variance = std::max(square / static_cast<double>(values.size()), kMinSignal);
  return found;
}

// The next element of L^-1 x, where `row` is the row of L and `known` has the elements before.
double solved(const double* row, const std::vector<double>& known, double value) {
  for (size_t k = 0; k < known.size(); ++k) value -= row[k] * known[k];
  return value / row[known.size()];
}

}  // namespace

GaussianProcess::GaussianProcess(const SearchSpace& space)
    : space_(space), dimensions_(space.dimensions().size()) {
  parameters_.relevance.assign(dimensions_, 1.0);
  for (const Dimension& dimension : space.dimensions()) {
    const size_t width = dimension.values.size() + 1;
    std::vector<Similarity> table(width * width);
    for (size_t a = 0; a < width; ++a)
      for (size_t b = 0; b < width; ++b) {
        if (a == b) continue;
        const bool steps = dimension.ordered && a > 0 && b > 0;
        const double apart = static_cast<double>(std::max(a, b) - std::min(a, b));
        const double distance =
            steps ? kMaxDistance * apart / static_cast<double>(width - 2) : kMaxDistance;
        table[a * width + b] = {distance, std::exp(-distance)};
      }
    similarity_.push_back(std::move(table));
  }
  double mean = 0, square = 0;
  const auto n = static_cast<double>(space.size());
  for (size_t p = 0; p < space.size(); ++p) mean += space.expected(p) / n;
  for (size_t p = 0; p < space.size(); ++p) square += std::pow(space.expected(p) - mean, 2) / n;
  for (size_t p = 0; p < space.size(); ++p)
    expected_.push_back(square > 0 ? (space.expected(p) - mean) / std::sqrt(square) : 0);
}

GaussianProcess::Scales GaussianProcess::scales_of(const Parameters& parameters) const {
  const double total =
      std::accumulate(parameters.relevance.begin(), parameters.relevance.end(), 0.0);
  Scales scales;
  scales.additive = parameters.additive;
  for (const double relevance : parameters.relevance) {
    scales.share.push_back(relevance / total);
    // The root keeps points that differ in everything from being strangers in large spaces.
    scales.exponent.push_back(relevance / total * std::sqrt(dimensions_));
  }
  return scales;
}

const GaussianProcess::Similarity& GaussianProcess::similarity(size_t dimension, size_t p,
                                                               size_t q) const {
  const size_t width = space_.dimensions()[dimension].values.size() + 1;
  const size_t a = static_cast<size_t>(space_[p].coordinates[dimension]) + 1;
  const size_t b = static_cast<size_t>(space_[q].coordinates[dimension]) + 1;
  return similarity_[dimension][a * width + b];
}

double GaussianProcess::covariance(const Scales& scales, size_t p, size_t q) const {
  double sum = 0, exponent = 0;
  for (size_t d = 0; d < dimensions_; ++d) {
    const Similarity& alike = similarity(d, p, q);
    sum += scales.share[d] * alike.similarity;
    exponent += scales.exponent[d] * alike.distance;
  }
  if (dimensions_ == 0) return 1;
  return scales.additive * sum + (1 - scales.additive) * std::exp(-exponent) +
         kSlope * expected_[p] * expected_[q];
}

double GaussianProcess::own_variance(size_t point) const {
  return 1 + kSlope * expected_[point] * expected_[point] + parameters_.noise;
}

// With every point of the space.
std::vector<float> GaussianProcess::covariances(const Scales& scales, size_t point) const {
  std::vector<float> row(space_.size());
  for (size_t q = 0; q < space_.size(); ++q)
    row[q] = static_cast<float>(covariance(scales, point, q));
  return row;
}

double GaussianProcess::log_likelihood(const Parameters& parameters) const {
  const size_t n = points_.size();
  const Scales scales = scales_of(parameters);
  std::vector<double> factor(n * n), ones, values;
  double log_determinant = 0;
  for (size_t i = 0; i < n; ++i) {
    double* row = &factor[i * n];
    for (size_t j = 0; j <= i; ++j) {
      double sum = covariance(scales, points_[i], points_[j]);
      for (size_t k = 0; k < j; ++k) sum -= row[k] * factor[j * n + k];
      if (j < i) {
        row[j] = sum / factor[j * n + j];
        continue;
      }
      sum += parameters.noise;
      if (!(sum > 0)) return -std::numeric_limits<double>::infinity();
      row[i] = std::sqrt(sum);
    }
    ones.push_back(solved(row, ones, 1));
    values.push_back(solved(row, values, values_[i]));
    log_determinant += std::log(row[i]);
  }
  const double variance = likeliest(ones, values).variance;
  double result = -0.5 * static_cast<double>(n) * std::log(variance) - log_determinant;
  // A weak prior keeps relevances that nothing speaks for near one.
  for (const double relevance : parameters.relevance)
    result -= 0.05 * std::log(relevance) * std::log(relevance);
  return result;
}

// Coordinate ascent on the likelihood.
void GaussianProcess::improve() {
  double best = log_likelihood(parameters_);
  const auto attempt = [&](const Parameters& candidate) {
    const double likelihood = log_likelihood(candidate);
    if (likelihood <= best) return;
    best = likelihood;
    parameters_ = candidate;
  };
  constexpr int kSweeps = 2;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (size_t d = 0; d < dimensions_; ++d)
      for (const double factor : {0.4, 2.5}) {
        Parameters candidate = parameters_;
        double& relevance = candidate.relevance[d];
        relevance = std::clamp(relevance * factor, kMinRelevance, kMaxRelevance);
        attempt(candidate);
      }
    for (const double additive : {0.2, 0.5, 0.8, 0.95}) {
      Parameters candidate = parameters_;
      candidate.additive = additive;
      attempt(candidate);
    }
    for (const double noise : {1e-5, 1e-3, 1e-2, 5e-2}) {
      Parameters candidate = parameters_;
      candidate.noise = noise;
      attempt(candidate);
    }
  }
}

void GaussianProcess::learn(const std::vector<size_t>& points, const std::vector<double>& values) {
  points_ = points;
  values_ = values;
  if (points.size() >= next_improvement_ && points.size() <= kLearntFrom) {
    improve();
    factor_.clear();
    projected_.clear();
    next_improvement_ = points.size() + std::max<size_t>(1, points.size() / 10);
  }
  extend();
  project();
}

void GaussianProcess::extend() {
  const Scales scales = scales_of(parameters_);
  if (factor_.empty()) {
    left_.resize(space_.size());
    for (size_t q = 0; q < space_.size(); ++q) left_[q] = static_cast<float>(own_variance(q));
  }
  for (size_t i = factor_.size(); i < points_.size(); ++i) {
    std::vector<double> row(i + 1);
    std::vector<float> projected = covariances(scales, points_[i]);
    double own = own_variance(points_[i]);
    for (size_t k = 0; k < i; ++k) {
      row[k] = projected_[k][points_[i]];
      own -= row[k] * row[k];
    }
    row[i] = std::sqrt(std::max(own, kMinVariance));
    for (size_t k = 0; k < i; ++k) {
      const auto weight = static_cast<float>(row[k]);
      const float* known = projected_[k].data();
      for (size_t q = 0; q < projected.size(); ++q) projected[q] -= weight * known[q];
    }
    const auto scale = static_cast<float>(1 / row[i]);
    for (size_t q = 0; q < projected.size(); ++q) {
      projected[q] *= scale;
      left_[q] -= projected[q] * projected[q];
    }
    factor_.push_back(std::move(row));
    projected_.push_back(std::move(projected));
  }
}

void GaussianProcess::project() {
  std::vector<double> ones, values;
  for (size_t i = 0; i < points_.size(); ++i) {
    ones.push_back(solved(factor_[i].data(), ones, 1));
    values.push_back(solved(factor_[i].data(), values, values_[i]));
  }
  const Likeliest found = likeliest(ones, values);
  variance_ = found.variance;
  mean_.assign(space_.size(), static_cast<float>(found.mean));
  for (size_t i = 0; i < points_.size(); ++i) {
    const auto weight = static_cast<float>(values[i]);
    const float* row = projected_[i].data();
    for (size_t q = 0; q < mean_.size(); ++q) mean_[q] += weight * row[q];
  }
}

Prediction GaussianProcess::predict(size_t point) const {
  const double left = std::max(static_cast<double>(left_[point]), kMinVariance);
  return {mean_[point], std::sqrt(variance_ * left)};
}

}  // namespace alsbench
