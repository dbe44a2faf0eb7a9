// SPDX-License-Identifier: Apache-2.0
#include "kernels/cpu/reference/reference.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace alsbench::reference {
namespace {

const float* factor_row(const FactorsView& factors, int64_t row) {
  return static_cast<const float*>(factors.data) + row * factors.pitch;
}

size_t rank_of(const Vector& matrix) {
  return static_cast<size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
}

template <class Real>
Real dot(const std::vector<Real>& a, const std::vector<Real>& b) {
  Real sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// In place, lower triangle; false when a pivot is not positive.
bool factorize(Vector& a, size_t rank) {
  for (size_t j = 0; j < rank; ++j) {
    for (size_t k = 0; k < j; ++k) a[j * rank + j] -= a[j * rank + k] * a[j * rank + k];
    if (!(a[j * rank + j] > 0)) return false;
    a[j * rank + j] = std::sqrt(a[j * rank + j]);
    for (size_t i = j + 1; i < rank; ++i) {
      for (size_t k = 0; k < j; ++k) a[i * rank + j] -= a[i * rank + k] * a[j * rank + k];
      a[i * rank + j] /= a[j * rank + j];
    }
  }
  return true;
}

template <class Real>
std::vector<Real> product(const std::vector<Real>& a, const std::vector<Real>& x) {
  const size_t rank = x.size();
  std::vector<Real> y(rank, Real{0});
  constexpr size_t kRows = 8;  // whose sums do not wait for each other
  for (size_t i = 0; i < rank; i += kRows)
    for (size_t j = 0; j < rank; ++j)
      for (size_t row = i; row < std::min(i + kRows, rank); ++row)
        y[row] += a[row * rank + j] * x[j];
  return y;
}

template <class Real>
struct CgRun {
  std::vector<Real> x;
  int steps = 0;
  Real rr = 0, previous_rr = 0;  // squares of residual norms
};

template <class Real>
std::vector<Real> as(const Vector& v) {
  return std::vector<Real>(v.begin(), v.end());
}

// M^-1 r, M being the diagonal, or the identity where it is empty. Where the diagonal is zero, so
// are the row of A and r.
template <class Real>
std::vector<Real> preconditioned(const std::vector<Real>& diagonal, std::vector<Real> r) {
  for (size_t i = 0; i < diagonal.size(); ++i) r[i] = diagonal[i] > 0 ? r[i] / diagonal[i] : Real{};
  return r;
}

template <class Real>
CgRun<Real> run_cg(const std::vector<Real>& a, const std::vector<Real>& b, std::vector<Real> x0,
                   const CgSettings& settings) {
  const std::vector<Real> diagonal = as<Real>(settings.diagonal);
  CgRun<Real> run{std::move(x0)};
  std::vector<Real> r = product(a, run.x);
  for (size_t i = 0; i < r.size(); ++i) r[i] = b[i] - r[i];
  std::vector<Real> z = preconditioned(diagonal, r), p = z;
  run.rr = run.previous_rr = dot(r, r);
  Real rz = dot(r, z);
  const Real enough = static_cast<Real>(settings.tolerance * settings.tolerance) * dot(b, b);
  for (; run.steps < settings.steps && run.rr > enough; ++run.steps) {
    const std::vector<Real> ap = product(a, p);
    const Real pap = dot(p, ap);
    if (!(pap > 0)) break;
    const Real alpha = rz / pap;
    for (size_t i = 0; i < r.size(); ++i) {
      run.x[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
    }
    run.previous_rr = run.rr;
    run.rr = dot(r, r);
    z = preconditioned(diagonal, r);
    const Real next = dot(r, z);
    for (size_t i = 0; i < r.size(); ++i) p[i] = z[i] + next / rz * p[i];
    rz = next;
  }
  return run;
}

// Eleven binary digits, to nearest, ties to even, whatever the exponent.
double rounded_to_half_digits(double value) {
  constexpr uint64_t kDropped = 53 - 11, kUnit = uint64_t{1} << kDropped;
  uint64_t bits = std::bit_cast<uint64_t>(value);
  bits += kUnit / 2 - 1 + (bits / kUnit) % 2;  // may carry into the exponent, as it should
  return std::isfinite(value) ? std::bit_cast<double>(bits & ~(kUnit - 1)) : value;
}

}  // namespace

Vector normal_matrix(const RatingsView& ratings, const FactorsView& factors, float lambda,
                     int64_t row) {
  const int64_t rank = factors.rank;
  Vector a(static_cast<size_t>(rank * rank), 0.0);
  constexpr int64_t kAtOnce = 4;  // ratings that A is read and written for once
  std::array<Vector, kAtOnce> theta;
  const int64_t begin = ratings.offsets[row], end = ratings.offsets[row + 1];
  for (int64_t first = begin; first < end; first += kAtOnce) {
    for (int64_t k = 0; k < kAtOnce; ++k) {
      theta[k].assign(static_cast<size_t>(rank), 0.0);
      if (first + k < end)
        std::copy_n(factor_row(factors, ratings.indices[first + k]), rank, theta[k].begin());
    }
    const double *t0 = theta[0].data(), *t1 = theta[1].data(), *t2 = theta[2].data(),
                 *t3 = theta[3].data();
    for (int64_t i = 0; i < rank; ++i)
      for (int64_t j = 0; j <= i; ++j)
        a[i * rank + j] += (t0[i] * t0[j] + t1[i] * t1[j]) + (t2[i] * t2[j] + t3[i] * t3[j]);
  }
  for (int64_t i = 0; i < rank; ++i) {
    a[i * rank + i] += end > begin ? double{lambda} * static_cast<double>(end - begin) : 1.0;
    for (int64_t j = 0; j < i; ++j) a[j * rank + i] = a[i * rank + j];
  }
  return a;
}

Vector with_rounded_sums(Vector matrix, double diagonal) {
  const size_t rank = rank_of(matrix);
  for (size_t i = 0; i < rank; ++i) matrix[i * rank + i] -= diagonal;
  for (double& sum : matrix) sum = rounded_to_half_digits(sum);
  for (size_t i = 0; i < rank; ++i) matrix[i * rank + i] += diagonal;
  return matrix;
}

Vector with_rounded_multiples(Vector matrix, double diagonal, const Vector& scales, double unit) {
  const size_t rank = scales.size();
  for (size_t i = 0; i < rank; ++i) matrix[i * rank + i] -= diagonal;
  for (size_t i = 0; i < rank; ++i)
    for (size_t j = 0; j < rank; ++j) {
      const double both = scales[i] * scales[j] * unit;
      const double scale = both > 0 ? both : 1;  // a feature that is zero throughout
      double& sum = matrix[i * rank + j];
      sum = rounded_to_half_digits(std::nearbyint(sum / scale)) * scale;
    }
  for (size_t i = 0; i < rank; ++i) matrix[i * rank + i] += diagonal;
  return matrix;
}

Vector right_hand_side(const RatingsView& ratings, const FactorsView& factors, int64_t row) {
  Vector b(static_cast<size_t>(factors.rank), 0.0);
  for (int64_t k = ratings.offsets[row]; k < ratings.offsets[row + 1]; ++k) {
    const float* theta = factor_row(factors, ratings.indices[k]);
    for (size_t i = 0; i < b.size(); ++i) b[i] += double{ratings.values[k]} * double{theta[i]};
  }
  return b;
}

Vector solve(Vector a, Vector b) {
  const size_t rank = b.size();
  if (!factorize(a, rank)) return Vector(rank, std::numeric_limits<double>::quiet_NaN());
  for (size_t i = 0; i < rank; ++i) {
    for (size_t k = 0; k < i; ++k) b[i] -= a[i * rank + k] * b[k];
    b[i] /= a[i * rank + i];
  }
  for (size_t i = rank; i-- > 0;) {
    for (size_t k = i + 1; k < rank; ++k) b[i] -= a[k * rank + i] * b[k];
    b[i] /= a[i * rank + i];
  }
  return b;
}

CgResult conjugate_gradient(const Vector& a, const Vector& b, Vector x0,
                            const CgSettings& settings) {
  CgRun<double> run = run_cg(a, b, std::move(x0), settings);
  return {std::move(run.x), run.steps, std::sqrt(run.rr), std::sqrt(run.previous_rr)};
}

Vector conjugate_gradient_in_float(const Vector& a, const Vector& b, const Vector& x0,
                                   const CgSettings& settings) {
  const CgRun<float> run = run_cg(as<float>(a), as<float>(b), as<float>(x0), settings);
  return Vector(run.x.begin(), run.x.end());
}

Vector diagonal_of(const Vector& matrix) {
  Vector diagonal(rank_of(matrix));
  for (size_t i = 0; i < diagonal.size(); ++i) diagonal[i] = matrix[i * (diagonal.size() + 1)];
  return diagonal;
}

SquaredErrors squared_errors(const RmseParams& params, int64_t first, int64_t last) {
  SquaredErrors errors;
  const RatingsView& ratings = params.ratings;
  const auto empty = [](const int64_t* offsets, int64_t i) { return offsets[i] == offsets[i + 1]; };
  for (int64_t row = first; row < last; ++row) {
    const float* x = factor_row(params.x, row);
    for (int64_t k = ratings.offsets[row]; k < ratings.offsets[row + 1]; ++k) {
      const int64_t column = ratings.indices[k];
      const float* theta = factor_row(params.theta, column);
      double predicted = 0, magnitude = std::abs(double{ratings.values[k]});
      for (int32_t i = 0; i < params.x.rank; ++i) {
        predicted += double{x[i]} * double{theta[i]};
        magnitude += std::abs(double{x[i]} * double{theta[i]});
      }
      if (empty(params.train_row_offsets, row) || empty(params.train_col_offsets, column)) {
        predicted = double{params.mean};
        ++errors.cold;
      }
      const double error = double{ratings.values[k]} - predicted;
      errors.sum += error * error;
      errors.magnitude += std::abs(error) * magnitude;
    }
  }
  return errors;
}

Vector multiply(const Vector& a, const Vector& x) { return product(a, x); }

double norm(const Vector& v) { return std::sqrt(dot(v, v)); }

}  // namespace alsbench::reference
