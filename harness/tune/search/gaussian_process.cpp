// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace alsbench {
namespace {

// Lower Cholesky factor in place; false where the matrix is not positive definite.
bool factorize(std::vector<double>& a, size_t n) {
  for (size_t j = 0; j < n; ++j)
    for (size_t i = j; i < n; ++i) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; ++k) sum -= a[i * n + k] * a[j * n + k];
      if (i == j) {
        if (!(sum > 0)) return false;
        a[j * n + j] = std::sqrt(sum);
      } else {
        a[i * n + j] = sum / a[j * n + j];
      }
    }
  return true;
}

// x = L^-1 x
void solve_lower(const std::vector<double>& l, size_t n, std::vector<double>& x) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t k = 0; k < i; ++k) x[i] -= l[i * n + k] * x[k];
    x[i] /= l[i * n + i];
  }
}

// x = L^-T x
void solve_upper(const std::vector<double>& l, size_t n, std::vector<double>& x) {
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) x[i] -= l[k * n + i] * x[k];
    x[i] /= l[i * n + i];
  }
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

constexpr double kMinRelevance = 0.02, kMaxRelevance = 50;
constexpr double kSlope = 0.3;        // variance of what is expected's slope
constexpr double kMaxDistance = 1.5;  // distance of two different words, or of the ends of an order

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

double GaussianProcess::covariance(const Scales& scales, size_t p, size_t q) const {
  const std::vector<int32_t>&a = space_[p].coordinates, &b = space_[q].coordinates;
  double sum = 0, exponent = 0;
  for (size_t d = 0; d < dimensions_; ++d) {
    const size_t width = space_.dimensions()[d].values.size() + 1;
    const Similarity& similarity =
        similarity_[d][static_cast<size_t>(a[d] + 1) * width + static_cast<size_t>(b[d] + 1)];
    sum += scales.share[d] * similarity.similarity;
    exponent += scales.exponent[d] * similarity.distance;
  }
  if (dimensions_ == 0) return 1;
  return scales.additive * sum + (1 - scales.additive) * std::exp(-exponent) +
         kSlope * expected_[p] * expected_[q];
}

GaussianProcess::Fit GaussianProcess::fit(const Parameters& parameters) const {
  const size_t n = points_.size();
  Fit result;
  result.log_likelihood = -std::numeric_limits<double>::infinity();
  result.factor.resize(n * n);
  const Scales scales = scales_of(parameters);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j <= i; ++j)
      result.factor[i * n + j] =
          covariance(scales, points_[i], points_[j]) + (i == j ? parameters.noise : 0);
  if (!factorize(result.factor, n)) return result;
  // Mean and variance that are likeliest (Rasmussen and Williams, 2.7 and 5.4).
  std::vector<double> ones(n, 1.0), y = targets_;
  solve_lower(result.factor, n, ones);
  solve_lower(result.factor, n, y);
  result.mean = dot(ones, y) / dot(ones, ones);
  for (size_t i = 0; i < n; ++i) y[i] -= result.mean * ones[i];
  result.variance = std::max(dot(y, y) / static_cast<double>(n), 1e-8);
  double log_determinant = 0;
  for (size_t i = 0; i < n; ++i) log_determinant += std::log(result.factor[i * n + i]);
  result.log_likelihood =
      -0.5 * static_cast<double>(n) * std::log(result.variance) - log_determinant;
  // A weak prior keeps relevances that nothing speaks for near one.
  for (const double relevance : parameters.relevance)
    result.log_likelihood -= 0.05 * std::log(relevance) * std::log(relevance);
  solve_upper(result.factor, n, y);
  result.weights = std::move(y);
  return result;
}

// Coordinate ascent on the likelihood.
void GaussianProcess::improve() {
  const auto attempt = [&](const Parameters& candidate) {
    Fit fitted = fit(candidate);
    if (fitted.log_likelihood <= fit_.log_likelihood) return;
    fit_ = std::move(fitted);
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

void GaussianProcess::learn(const std::vector<size_t>& points,
                            const std::vector<double>& log_seconds) {
  points_ = points;
  targets_ = log_seconds;
  for (size_t i = 0; i < points.size(); ++i) targets_[i] -= space_.expected(points[i]);
  fit_ = fit(parameters_);
  if (points.size() < next_improvement_) return;
  improve();
  next_improvement_ = points.size() + std::max<size_t>(1, points.size() / 10);
}

std::vector<Prediction> GaussianProcess::predict(const std::vector<size_t>& points) const {
  const size_t n = points_.size();
  const Scales scales = scales_of(parameters_);
  std::vector<Prediction> predictions;
  std::vector<double> row(n);
  for (const size_t point : points) {
    for (size_t i = 0; i < n; ++i) row[i] = covariance(scales, point, points_[i]);
    Prediction prediction;
    prediction.mean = space_.expected(point) + fit_.mean + dot(row, fit_.weights);
    solve_lower(fit_.factor, n, row);
    const double own = covariance(scales, point, point) + parameters_.noise;
    const double left = std::max(own - dot(row, row), 1e-12);
    prediction.deviation = std::sqrt(fit_.variance * left);
    predictions.push_back(prediction);
  }
  return predictions;
}

}  // namespace alsbench
