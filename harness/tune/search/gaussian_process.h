// SPDX-License-Identifier: Apache-2.0
// GaussianProcess: predicts a value of every point of a space from those of measured points, with
// an uncertainty.
//
// The parameters of its covariance maximise the likelihood of what was measured.
//
// A prediction of the whole space is kept up to date: a new point costs its covariance with every
// other, and one row more of the factor. Only where the parameters are learnt again are all rows
// formed again, and that ends at kLearntFrom points.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/tune/search/covariance.h"

namespace alsbench {

class GaussianProcess {
 public:
  struct Prediction {
    double mean = 0;
    double deviation = 0;
  };
  // Of a space of so many points. The features must outlive it.
  GaussianProcess(const Features& features, size_t size);

  // Fits all points, which are those of the call before and more; their values may be others.
  // Parameters go on from those learnt last; they are learnt again at every point at first, then
  // whenever a tenth has been added.
  void learn(const std::vector<size_t>& points, const std::vector<double>& values);
  // Of a point of the space, after learn().
  Prediction predict(size_t point) const;

 private:
  static constexpr size_t kLearntFrom = 250;  // points; more hardly change the parameters

  double log_likelihood(const CovarianceParameters& parameters) const;
  void improve();
  void extend();  // rows of points that have none yet
  void extend(const Covariance& covariance, size_t known, size_t first, size_t count);
  void project();

  const Features& features_;
  size_t size_;
  CovarianceParameters parameters_;
  size_t next_improvement_ = 2;  // number of points at which parameters are learnt again
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
