// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/gaussian_process.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace alsbench {
namespace {

constexpr double kMinVariance = 1e-9, kMinSignal = 1e-8;
constexpr double kMinRelevance = 0.02, kMaxRelevance = 50;
constexpr size_t kBlock = 256;  // points of the space whose rows stay in the cache

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
double solved(const std::vector<double>& row, const std::vector<double>& known, double value) {
  for (size_t k = 0; k < known.size(); ++k) value -= row[k] * known[k];
  return value / row[known.size()];
}

// The next row of L.
std::vector<double> next_row(const std::vector<std::vector<double>>& factor,
                             const Covariance& covariance, const std::vector<size_t>& points) {
  const size_t i = factor.size();
  std::vector<double> row;
  row.reserve(i + 1);
  for (size_t j = 0; j < i; ++j)
    row.push_back(solved(factor[j], row, covariance(points[i], points[j])));
  const double left = std::inner_product(row.begin(), row.end(), row.begin(), 0.0);
  row.push_back(std::sqrt(std::max(covariance.own(points[i]) - left, kMinVariance)));
  return row;
}

}  // namespace

GaussianProcess::GaussianProcess(const Features& features, size_t size)
    : features_(features), size_(size) {
  parameters_.relevance.assign(features.size(), 1.0);
}

double GaussianProcess::log_likelihood(const CovarianceParameters& parameters) const {
  const Covariance covariance(features_, parameters);
  std::vector<std::vector<double>> factor;
  std::vector<double> ones, values;
  factor.reserve(points_.size());
  double result = 0;
  for (size_t i = 0; i < points_.size(); ++i) {
    factor.push_back(next_row(factor, covariance, points_));
    ones.push_back(solved(factor[i], ones, 1));
    values.push_back(solved(factor[i], values, values_[i]));
    result -= std::log(factor[i][i]);
  }
  const double variance = likeliest(ones, values).variance;
  result -= 0.5 * static_cast<double>(points_.size()) * std::log(variance);
  // A weak prior keeps relevances that nothing speaks for near one.
  for (const double relevance : parameters.relevance)
    result -= 0.05 * std::log(relevance) * std::log(relevance);
  return result;
}

// Coordinate ascent on the likelihood.
void GaussianProcess::improve() {
  double best = log_likelihood(parameters_);
  const auto attempt = [&](const CovarianceParameters& candidate) {
    const double likelihood = log_likelihood(candidate);
    if (likelihood <= best) return;
    best = likelihood;
    parameters_ = candidate;
  };
  constexpr int kSweeps = 4;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (size_t f = 0; f < features_.size(); ++f)
      for (const double factor : {0.4, 2.5}) {
        CovarianceParameters candidate = parameters_;
        double& relevance = candidate.relevance[f];
        relevance = std::clamp(relevance * factor, kMinRelevance, kMaxRelevance);
        attempt(candidate);
      }
    for (const double additive : {0.2, 0.5, 0.8, 0.95}) {
      CovarianceParameters candidate = parameters_;
      candidate.additive = additive;
      attempt(candidate);
    }
    for (const double noise : {1e-5, 1e-3, 1e-2, 5e-2}) {
      CovarianceParameters candidate = parameters_;
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
  const Covariance covariance(features_, parameters_);
  const size_t known = factor_.size();
  if (known == 0) {
    left_.resize(size_);
    for (size_t q = 0; q < size_; ++q) left_[q] = static_cast<float>(covariance.own(q));
  }
  while (factor_.size() < points_.size()) {
    factor_.push_back(next_row(factor_, covariance, points_));
    projected_.emplace_back(size_);
  }
  for (size_t first = 0; first < size_; first += kBlock)
    extend(covariance, known, first, std::min(kBlock, size_ - first));
}

// Of the rows from `known` on, the part of `count` points of the space.
void GaussianProcess::extend(const Covariance& covariance, size_t known, size_t first,
                             size_t count) {
  std::vector<float> row(count);
  for (size_t i = known; i < factor_.size(); ++i) {
    covariance.row(points_[i], first, row);
    for (size_t k = 0; k < i; ++k) {
      const auto weight = static_cast<float>(factor_[i][k]);
      const float* before = projected_[k].data() + first;
      for (size_t q = 0; q < count; ++q) row[q] -= weight * before[q];
    }
    const auto scale = static_cast<float>(1 / factor_[i][i]);
    float* projected = projected_[i].data() + first;
    for (size_t q = 0; q < count; ++q) {
      projected[q] = scale * row[q];
      left_[first + q] -= projected[q] * projected[q];
    }
  }
}

void GaussianProcess::project() {
  std::vector<double> ones, values;
  for (size_t i = 0; i < points_.size(); ++i) {
    ones.push_back(solved(factor_[i], ones, 1));
    values.push_back(solved(factor_[i], values, values_[i]));
  }
  const Likeliest found = likeliest(ones, values);
  variance_ = found.variance;
  mean_.assign(size_, static_cast<float>(found.mean));
  for (size_t i = 0; i < points_.size(); ++i) {
    const auto weight = static_cast<float>(values[i]);
    const float* row = projected_[i].data();
    for (size_t q = 0; q < mean_.size(); ++q) mean_[q] += weight * row[q];
  }
}

GaussianProcess::Prediction GaussianProcess::predict(size_t point) const {
  const double left = std::max(static_cast<double>(left_[point]), kMinVariance);
  return {mean_[point], std::sqrt(variance_ * left)};
}

}  // namespace alsbench
