// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/implicit/gram_matrices.h"

#include <algorithm>
#include <numeric>

#include "harness/algorithms/als/prepared.h"
#include "kernels/shared/params/basis.h"
#include "variants/als/stages.h"

namespace alsbench {

GramMatrices::GramMatrices(const DeviceProblem& problem) : problem_(&problem) {
  Device& device = problem.device();
  const int64_t rows = std::max(problem.ratings(Side::x).rows, problem.ratings(Side::theta).rows);
  std::vector<int64_t> offsets(static_cast<size_t>(rows) + 1);
  std::iota(offsets.begin(), offsets.end(), int64_t{0});
  offsets_ = device.allocate(static_cast<int64_t>(offsets.size() * sizeof(int64_t)));
  device.upload(offsets_.data(), offsets.data(), offsets_.bytes());
  for (const Side side : {Side::x, Side::theta}) {
    stage_[index(side)] = prepared_gram(problem, side);
    gram_[index(side)] = device.allocate(int64_t{4} * problem.rank() * problem.rank());
  }
}

void GramMatrices::form(Side side, const FactorMatrix& factors, RowWeight weight) {
  RatingsView ratings = problem_->ratings(side);
  if (weight == RowWeight::one) ratings.offsets = offsets_.as<int64_t>();
  stage_[index(side)]->launch(GramParams{ratings, factors.view(), gram_[index(side)].as<float>()});
}

std::vector<double> GramMatrices::download(Side side) const {
  const Buffer& gram = gram_[index(side)];
  std::vector<float> values(static_cast<size_t>(problem_->rank()) * problem_->rank());
  problem_->device().download(values.data(), gram.data(), gram.bytes());
  return std::vector<double>(values.begin(), values.end());
}

}  // namespace alsbench
