// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/covariance.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

namespace alsbench {
namespace {

constexpr double kSlope = 0.3;        // variance of what is expected's slope
constexpr double kMaxDistance = 1.5;  // distance of two different words, or of the ends of an order
constexpr size_t kMinAligned = 5;     // values of a dimension that is compared by alignment, too

double square(double x) { return x * x; }

// Distances of all pairs of values, where the first value is "has none".
std::vector<double> distances(const std::vector<std::optional<double>>& places) {
  std::vector<double> known;
  for (const auto& place : places)
    if (place) known.push_back(*place);
  const auto [least, most] = std::minmax_element(known.begin(), known.end());
  const double range = known.empty() ? 0 : *most - *least;
  std::vector<double> table;
  for (size_t a = 0; a < places.size(); ++a)
    for (size_t b = 0; b < places.size(); ++b) {
      const bool steps = places[a] && places[b] && range > 0;
      const double share = steps ? std::abs(*places[a] - *places[b]) / range : 1;
      table.push_back(a == b ? 0 : kMaxDistance * share);
    }
  return table;
}

// Of each value of a dimension, and of "has none": its logarithm, or its place in the order where
// one has none; nothing of words.
std::vector<std::optional<double>> magnitudes(const Dimension& dimension) {
  std::vector<std::optional<double>> places(dimension.values.size() + 1);
  if (!dimension.ordered) return places;
  std::vector<double> values;
  for (const std::string& text : dimension.values) values.push_back(std::stod(text));
  const bool positive = values.front() > 0;  // they are in order
  for (size_t i = 0; i < values.size(); ++i)
    places[i + 1] = positive ? std::log(values[i]) : static_cast<double>(i);
  return places;
}

// Likewise how often two divides it; nothing where that says no more than the order.
std::optional<std::vector<std::optional<double>>> alignments(const Dimension& dimension) {
  std::vector<std::optional<double>> places{std::nullopt};
  bool powers = true;
  for (const std::string& text : dimension.values) {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value == 0) return {};
    powers = powers && std::has_single_bit(value);
    places.emplace_back(std::countr_zero(value));
  }
  const bool equal =
      std::adjacent_find(places.begin() + 1, places.end(), std::not_equal_to()) == places.end();
  if (powers || equal || dimension.values.size() < kMinAligned) return {};
  return places;
}

}  // namespace

Features::Features(const SearchSpace& space) : dimensions_(space.dimensions().size()) {
  for (size_t d = 0; d < dimensions_; ++d) {
    const Dimension& dimension = space.dimensions()[d];
    const size_t width = dimension.values.size() + 1;
    add(d, width, distances(magnitudes(dimension)));
    if (const auto aligned = alignments(dimension)) add(d, width, distances(*aligned));
    std::vector<uint16_t>& column = columns_.emplace_back();
    for (const SearchPoint& point : space.points())
      column.push_back(static_cast<uint16_t>(point.coordinates[d] + 1));
  }
  double mean = 0, variance = 0;
  const auto n = static_cast<double>(space.size());
  for (size_t p = 0; p < space.size(); ++p) mean += space.expected(p) / n;
  for (size_t p = 0; p < space.size(); ++p) variance += square(space.expected(p) - mean) / n;
  for (size_t p = 0; p < space.size(); ++p) {
    const double away = variance > 0 ? (space.expected(p) - mean) / std::sqrt(variance) : 0;
    expected_.push_back(static_cast<float>(away));
  }
}

void Features::add(size_t dimension, size_t width, std::vector<double> distance) {
  std::vector<double> similarity;
  for (const double each : distance) similarity.push_back(std::exp(-each));
  features_.push_back({dimension, width, std::move(distance), std::move(similarity)});
}

Covariance::Covariance(const Features& features, const CovarianceParameters& parameters)
    : features_(features), additive_(parameters.additive), noise_(parameters.noise) {
  terms_.reserve(parameters.relevance.size());
  factors_.reserve(parameters.relevance.size());
  const double total =
      std::accumulate(parameters.relevance.begin(), parameters.relevance.end(), 0.0);
  for (size_t f = 0; f < parameters.relevance.size(); ++f) {
    const double share = parameters.relevance[f] / total;
    const double exponent = share * std::sqrt(static_cast<double>(features.dimensions_));
    const Features::Feature& feature = features.features_[f];
    const size_t pairs = feature.distance.size();
    std::vector<float>&terms = terms_.emplace_back(pairs), &factors = factors_.emplace_back(pairs);
    double last = 0, factor = 1;  // neighbours in a table of words are mostly equal
    for (size_t pair = 0; pair < pairs; ++pair) {
      const double distance = feature.distance[pair];
      if (distance != last) factor = std::exp(-exponent * distance);
      last = distance;
      terms[pair] = static_cast<float>(additive_ * share * feature.similarity[pair]);
      factors[pair] = static_cast<float>(factor);
    }
  }
}

double Covariance::operator()(size_t p, size_t q) const {
  double sum = 0, product = 1 - additive_;
  for (size_t f = 0; f < terms_.size(); ++f) {
    const Features::Feature& feature = features_.features_[f];
    const std::vector<uint16_t>& column = features_.columns_[feature.dimension];
    const size_t pair = column[p] * feature.width + column[q];
    sum += terms_[f][pair];
    product *= factors_[f][pair];
  }
  return sum + product + kSlope * features_.expected_[p] * features_.expected_[q];
}

double Covariance::own(size_t p) const {
  return 1 + noise_ + kSlope * square(features_.expected_[p]);
}

void Covariance::row(size_t p, size_t first, std::vector<float>& row) const {
  std::vector<float> product(row.size(), static_cast<float>(1 - additive_));
  const auto slope = static_cast<float>(kSlope) * features_.expected_[p];
  for (size_t i = 0; i < row.size(); ++i) row[i] = slope * features_.expected_[first + i];
  for (size_t f = 0; f < terms_.size(); ++f) {
    const Features::Feature& feature = features_.features_[f];
    const std::vector<uint16_t>& column = features_.columns_[feature.dimension];
    const float* terms = &terms_[f][column[p] * feature.width];
    const float* factors = &factors_[f][column[p] * feature.width];
    for (size_t i = 0; i < row.size(); ++i) {
      row[i] += terms[column[first + i]];
      product[i] *= factors[column[first + i]];
    }
  }
  for (size_t i = 0; i < row.size(); ++i) row[i] += product[i];
}

}  // namespace alsbench
