// SPDX-License-Identifier: Apache-2.0
// GaussianProcess: predicts a value of every point of a space from those of measured points, with
// an uncertainty.
//
// Its covariance is that of an additive model plus one of all interactions:
//   k(p, q) = a sum_d w_d s_d(p, q) + (1 - a) prod_d s_d(p, q)^(D w_d),  s_d = exp(-distance_d)
// where the relevances w_d sum to one: parameters act mostly one by one, and in combinations where
// the measurements say so (Duvenaud, Nickisch and Rasmussen, "Additive Gaussian processes", NIPS
// 2011). Relevances, share and noise maximise the likelihood of what was measured. A linear term of
// k follows SearchSpace::expected().
//
// A prediction of the whole space is kept up to date: a new point costs its covariance with every
// other, and one row more of the factor. Only where the parameters are learnt again are all rows
// formed again, and that ends at kLearntFrom points.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/tune/space/search_space.h"

namespace alsbench {

struct Prediction {
  double mean = 0;
  double deviation = 0;
};

class GaussianProcess {
 public:
  explicit GaussianProcess(const SearchSpace& space);

  // Fits all points, which are those of the call before and more; their values may be others.
  // Parameters go on from those learnt last; they are learnt again at every point at first, then
  // whenever a tenth has been added.
  void learn(const std::vector<size_t>& points, const std::vector<double>& values);
  // Of a point of the space, after learn().
  Prediction predict(size_t point) const;

 private:
  static constexpr size_t kLearntFrom = 250;  // points; more hardly change the parameters

  struct Parameters {
    std::vector<double> relevance;  // of each dimension, not normalised
    double additive = 0.7;
    double noise = 1e-3;  // variance, relative to the signal's
  };
  // Values that covariance() derives from parameters.
  struct Scales {
    std::vector<double> share;     // of each dimension in the sum
    std::vector<double> exponent;  // of each dimension in the product
    double additive = 0;
  };
  // How alike two values of a dimension are: the distance and exp(-distance).
  struct Similarity {
    double distance = 0, similarity = 1;
  };

  Scales scales_of(const Parameters& parameters) const;
  const Similarity& similarity(size_t dimension, size_t p, size_t q) const;
  double covariance(const Scales& scales, size_t p, size_t q) const;
  double own_variance(size_t point) const;
  std::vector<float> covariances(const Scales& scales, size_t point) const;
  double log_likelihood(const Parameters& parameters) const;
  void improve();
  void extend();  // rows of points that have none yet
  void project();

  const SearchSpace& space_;
  size_t dimensions_;
  // For each dimension a square table over its values; index 0 stands for "has none".
  std::vector<std::vector<Similarity>> similarity_;
  std::vector<double>
      expected_;                 // of each point, in standard deviations; zeros where all are equal
  size_t next_improvement_ = 2;  // number of points at which parameters are learnt again
  Parameters parameters_;
  std::vector<size_t> points_;
  std::vector<double> values_;
  // Of each measured point a row of the covariance's lower Cholesky factor L, and the same row of
  // L^-1 k(measured, all points of the space).
  std::vector<std::vector<double>> factor_;
  std::vector<std::vector<float>> projected_;
  std::vector<float> left_;  // of each point of the space: variance that is left
  std::vector<float> mean_;  // of each point of the space
  double variance_ = 1;      // of the signal
};

}  // namespace alsbench
