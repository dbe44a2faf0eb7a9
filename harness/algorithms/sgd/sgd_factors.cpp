// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/sgd/sgd_factors.h"

#include <cmath>

#include "harness/problem/factor_copy.h"
#include "kernels/cpu/element.h"

namespace alsbench {

SgdFactors::SgdFactors(const DeviceProblem& problem, Scalar type, uint64_t seed)
    : problem_(&problem),
      type_(type),
      x_(start(Side::x, seed + 1)),
      theta_(start(Side::theta, seed)) {
  if (type == Scalar::fp32) return;
  Device& device = problem.device();
  for (const Side side : {Side::x, Side::theta}) {
    Buffer& buffer = side == Side::x ? x_stored_ : theta_stored_;
    buffer = device.allocate(factor_copy_bytes(type, of(side).view()));
    narrow(side);
  }
}

FactorMatrix SgdFactors::start(Side side, uint64_t seed) const {
  const Csr& ratings = problem_->host_ratings(side);
  const int64_t rank = problem_->rank();
  const double mean = problem_->set().mean;
  const auto level = static_cast<float>(std::sqrt(std::abs(mean) / static_cast<double>(rank)));
  const float sign = side == Side::theta && mean < 0 ? -1.0f : 1.0f;
  std::vector<float> values = initial_factors(ratings.rows, problem_->rank(), seed);
  for (int64_t row = 0; row < ratings.rows; ++row)
    for (int64_t i = row * rank; i < (row + 1) * rank; ++i)
      values[i] =
          ratings.offsets[row] == ratings.offsets[row + 1] ? 0 : sign * (level + values[i] - 0.1f);
  FactorMatrix factors(problem_->device(), ratings.rows, problem_->rank());
  factors.upload(values);
  return factors;
}

FactorsView SgdFactors::stored(Side side) const {
  FactorsView view = of(side).view();
  if (type_ != Scalar::fp32) view.data = (side == Side::x ? x_stored_ : theta_stored_).data();
  return view;
}

std::vector<float> SgdFactors::values(Side side) const {
  if (type_ == Scalar::fp32) return of(side).download();
  const FactorsView view = stored(side);
  std::vector<uint16_t> halves(static_cast<size_t>(view.rows * view.pitch));
  problem_->device().download(halves.data(), view.data, 2 * view.rows * view.pitch);
  std::vector<float> values(static_cast<size_t>(view.rows * view.rank));
#pragma omp parallel for schedule(static)  // cannot throw
  for (int64_t row = 0; row < view.rows; ++row)
    for (int64_t i = 0; i < view.rank; ++i)
      values[row * view.rank + i] = half_to_float(halves[row * view.pitch + i]);
  return values;
}

void SgdFactors::widen() {
  if (type_ == Scalar::fp32) return;
  x_.upload(values(Side::x));
  theta_.upload(values(Side::theta));
}

std::vector<ModelMatrix> SgdFactors::model() const {
  std::vector<ModelMatrix> matrices;
  for (const Side side : {Side::x, Side::theta})
    matrices.push_back(
        {std::string(name_of(side)), values(side), of(side).view().rows, problem_->rank()});
  return matrices;
}

void SgdFactors::restore(const std::vector<ModelMatrix>& model) {
  for (const ModelMatrix& matrix : model) {
    const Side side = side_named(matrix.name).value();
    (side == Side::x ? x_ : theta_).upload(matrix.values);
    narrow(side);
  }
}

void SgdFactors::narrow(Side side) {
  if (type_ == Scalar::fp32) return;
  const Buffer& stored = side == Side::x ? x_stored_ : theta_stored_;
  copy_factors(problem_->device(), stored.data(), type_, of(side).view(), nullptr);
}

}  // namespace alsbench
