// GaussianProcess: predicts the logarithm of a point's seconds from those of measured points, with
// an uncertainty. Used by the strategy "guided".
//
// Its covariance is that of an additive model plus one of all interactions:
//   k(p, q) = a sum_d w_d s_d(p, q) + (1 - a) prod_d s_d(p, q)^(D w_d),  s_d = exp(-distance_d)
// where the relevances w_d sum to one: parameters act mostly one by one, and in combinations where
// the measurements say so (Duvenaud, Nickisch and Rasmussen, "Additive Gaussian processes", NIPS
// 2011). Relevances, share and noise maximise the likelihood of what was measured.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/tune/search_space.h"

namespace alsbench {

struct Prediction {
  double mean = 0;  // of log(seconds)
  double deviation = 0;
};

class GaussianProcess {
 public:
  explicit GaussianProcess(const SearchSpace& space);

  // Learns from scratch, but for relevances, which start from those learnt last.
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

  double distance(size_t dimension, size_t p, size_t q) const;
  double covariance(const Parameters& parameters, size_t p, size_t q) const;
  Fit fit(const Parameters& parameters) const;
  void improve();

  const SearchSpace& space_;
  size_t dimensions_;
  Parameters parameters_;
  std::vector<size_t> points_;
  std::vector<double> targets_;
  Fit fit_;
};

}  // namespace alsbench
