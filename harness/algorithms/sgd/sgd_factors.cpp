// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/sgd/sgd_factors.h"

#include <cmath>

#include "harness/problem/factor_copy.h"

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

void SgdFactors::widen() {
  if (type_ == Scalar::fp32) return;
  for (const Side side : {Side::x, Side::theta}) {
    const FactorsView wide = of(side).view();
    problem_->device().widen(wide.data, stored(side).data, wide.rows * wide.pitch);
  }
}

int64_t SgdFactors::stored_bytes(Side side) const {
  return factor_copy_bytes(type_, of(side).view());
}

void SgdFactors::exchange(Side side, const SgdPartition& partition, int step) const {
  if (problem_->member().alone()) return;
  const FactorsView factors = stored(side);
  const int64_t row_bytes = copy_row_bytes(type_, factors);
  std::vector<Block> blocks;
  for (int member = 0; member < partition.members(); ++member) {
    const RowRange rows = partition.rows(side, member, step);
    blocks.push_back({rows.first * row_bytes, rows.count * row_bytes});
  }
  problem_->member().send(factors.data, blocks);
  problem_->member().wait_for_blocks();
}

std::vector<ModelMatrix> SgdFactors::model() const {
  std::vector<ModelMatrix> matrices;
  if (!problem_->member().first()) return matrices;
  for (const Side side : {Side::x, Side::theta})
    matrices.push_back(
        {std::string(name_of(side)), of(side).download(), of(side).view().rows, problem_->rank()});
  return matrices;
}

std::vector<ModelMatrix> SgdFactors::last_model() {
  std::vector<ModelMatrix> matrices;
  if (!problem_->member().first()) return matrices;
  for (const Side side : {Side::x, Side::theta}) {
    FactorMatrix& matrix = side == Side::x ? x_ : theta_;
    matrices.push_back(
        {std::string(name_of(side)), matrix.take(), matrix.view().rows, problem_->rank()});
  }
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
  copy_factors(problem_->device(), {stored.data(), type_}, of(side).view(), nullptr);
}

}  // namespace alsbench
