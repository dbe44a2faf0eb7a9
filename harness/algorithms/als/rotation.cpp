// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/rotation.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "harness/algorithms/als/prepared.h"
#include "kernels/cpu/basis.h"
#include "variants/als/stages.h"

namespace alsbench {

Rotation::Rotation(const DeviceProblem& problem) : problem_(&problem) {
  const int32_t rank = problem.rank();
  for (const Side side : {Side::x, Side::theta})
    of(side) = {prepared_gram(problem, side), prepared(problem, &stages::rotate, "tiled", side),
                FactorMatrix(problem.device(), problem.ratings(side).rows, rank)};
  host_gram_.resize(static_cast<size_t>(rank) * rank);
  host_basis_.resize(host_gram_.size());
  const auto bytes = static_cast<int64_t>(host_gram_.size() * sizeof(float));
  gram_ = problem.device().allocate(bytes);
  basis_ = problem.device().allocate(bytes);
}

void Rotation::run(Side fixed, FactorMatrix& x, FactorMatrix& theta, StageClock& clock) {
  const std::string_view of = name_of(other(fixed));
  const FactorMatrix& factors = fixed == Side::x ? x : theta;
  const GramParams gram{problem_->ratings(fixed), factors.view(), gram_.as<float>()};
  clock.device(of, "gram", [&] { this->of(fixed).gram->launch(gram); });
  clock.host(of, "eigenvectors", [&] { find_basis(); });
  for (const Side side : {Side::x, Side::theta}) {
    FactorMatrix& matrix = side == Side::x ? x : theta;
    const RotateParams rotate{matrix.view(), this->of(side).spare.view(), basis_.as<float>()};
    clock.device(of, "rotate", [&] { this->of(side).rotate->launch(rotate); });
    std::swap(matrix, this->of(side).spare);
  }
}

void Rotation::find_basis() {
  Device& device = problem_->device();
  device.download(host_gram_.data(), gram_.data(), gram_.bytes());
  const auto rank = static_cast<size_t>(problem_->rank());
  if (!eigenvectors(host_gram_.data(), problem_->rank(), host_basis_.data())) {
    std::ranges::fill(host_basis_, 0.0f);
    for (size_t k = 0; k < rank; ++k) host_basis_[k * rank + k] = 1;
  }
  device.upload(basis_.data(), host_basis_.data(), basis_.bytes());
}

}  // namespace alsbench
