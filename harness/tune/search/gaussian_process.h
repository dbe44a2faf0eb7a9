// SPDX-License-Identifier: Apache-2.0
// GaussianProcess: predicts the logarithm of a point's seconds from those of measured points, with
// an uncertainty.
//
// Its covariance is that of an additive model plus one of all interactions:
//   k(p, q) = a sum_d w_d s_d(p, q) + (1 - a) prod_d s_d(p, q)^(D w_d),  s_d = exp(-distance_d)
// where the relevances w_d sum to one: parameters act mostly one by one, and in combinations where
// the measurements say so (Duvenaud, Nickisch and Rasmussen, "Additive Gaussian processes", NIPS
// 2011). Relevances, share and noise maximise the likelihood of what was measured. The mean is
// that of SearchSpace::expected() with slope one, which a linear term of k may correct.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/tune/space/search_space.h"

namespace alsbench {

struct Prediction {
  double mean = 0;  // of log(seconds)
  double deviation = 0;
};

class GaussianProcess {
 public:
  explicit GaussianProcess(const SearchSpace& space);

  // Fits all points. Parameters go on from those learnt last; they are learnt again at every point
  // at first, then whenever a tenth has been added.
  void learn(const std::vector<size_t>& points, const std::vector<double>& log_seconds);
  // Of points in the order given.
  std::vector<Prediction> predict(const std::vector<size_t>& points) const;

 private:
  struct Parameters {
    std::vector<double> relevance;  // of each dimension, not normalised
    double additive = 0.7;
    double noise = 1e-3;  // variance, relative to the signal's
  };
  struct Fit {
    std::vector<double> factor;   // lower Cholesky factor of the covariance, row-major
    std::vector<double> weights;  // covariance^-1 (y - mean)
    double mean = 0, variance = 1, log_likelihood = 0;
  };

  // Values that covariance() derives from parameters, once a fit.
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
  double covariance(const Scales& scales, size_t p, size_t q) const;
  Fit fit(const Parameters& parameters) const;
  void improve();

  const SearchSpace& space_;
  size_t dimensions_;
  // For each dimension a square table over its values; index 0 stands for "has none".
  std::vector<std::vector<Similarity>> similarity_;
  std::vector<double>
      expected_;                 // of each point, in standard deviations; zeros where all are equal
  size_t next_improvement_ = 0;  // number of points at which parameters are learnt again
  Parameters parameters_;
  std::vector<size_t> points_;
  std::vector<double> targets_;
  Fit fit_;
};

}  // namespace alsbench
