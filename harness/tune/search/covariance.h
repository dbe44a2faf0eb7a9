// SPDX-License-Identifier: Apache-2.0
// Covariance: how alike the values of two points of a space are, given parameters that measurements
// teach.
//
// Points are compared by features. Each dimension is one: words are equal or not, and numbers are
// as far apart as their logarithms. A dimension of whole numbers that are not all powers of two is
// a second one, by how often two divides them: sizes of blocks and tiles act by alignment as much
// as by magnitude, and 128 is like 256 and unlike 144.
//
// The covariance is that of an additive model plus one of all interactions:
//   k(p, q) = a sum_f w_f s_f(p, q) + (1 - a) prod_f s_f(p, q)^(w_f sqrt(D)),  s_f = exp(-distance)
// where the relevances w_f sum to one: parameters act mostly one by one, and in combinations where
// the measurements say so (Duvenaud, Nickisch and Rasmussen, "Additive Gaussian processes", NIPS
// 2011). The root keeps points that differ in everything from being strangers in large spaces. A
// linear term of k follows SearchSpace::expected().
#pragma once

#include <cstdint>
#include <vector>

#include "harness/tune/space/search_space.h"

namespace alsbench {

struct CovarianceParameters {
  std::vector<double> relevance;  // of each feature, not normalised
  double additive = 0.7;
  double noise = 1e-3;  // variance, relative to the signal's
};

// The features of a space, which parameters do not change. The space must outlive it.
class Features {
 public:
  explicit Features(const SearchSpace& space);

  size_t size() const { return features_.size(); }

 private:
  friend class Covariance;
  struct Feature {
    size_t dimension = 0;
    size_t width = 0;                     // values, and one that stands for "has none"
    std::vector<double> distance = {};    // width x width
    std::vector<double> similarity = {};  // exp(-distance)
  };
  void add(size_t dimension, size_t width, std::vector<double> distance);

  std::vector<Feature> features_;
  std::vector<std::vector<uint16_t>> columns_;  // of each dimension: each point's value
  std::vector<float> expected_;  // of each point, in standard deviations; zeros where all are equal
  size_t dimensions_;
};

// The covariance under given parameters. The features must outlive it.
class Covariance {
 public:
  Covariance(const Features& features, const CovarianceParameters& parameters);

  double operator()(size_t p, size_t q) const;
  double own(size_t p) const;  // variance of a measured value of p, noise included
  // Covariances of p with the points from `first` on; `row` has one for each.
  void row(size_t p, size_t first, std::vector<float>& row) const;

 private:
  const Features& features_;
  double additive_, noise_;
  // Of each feature a table over pairs of values: what it adds to the sum, and its factor.
  std::vector<std::vector<float>> terms_, factors_;
};

}  // namespace alsbench
