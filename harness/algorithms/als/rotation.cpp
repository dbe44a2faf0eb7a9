// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/rotation.h"

#include <chrono>
#include <utility>

#include "harness/algorithms/als/prepared.h"
#include "kernels/cpu/basis.h"
#include "variants/als/stages.h"

namespace alsbench {

Rotation::Rotation(const DeviceProblem& problem) : problem_(&problem) {
  const int32_t rank = problem.rank();
  for (const Side side : {Side::x, Side::theta})
    of(side) = {prepared(problem, &stages::gram, "tiled", side),
                prepared(problem, &stages::rotate, "tiled", side),
                FactorMatrix(problem.device(), problem.ratings(side).rows, rank)};
  host_gram_.resize(static_cast<size_t>(rank) * rank);
  host_basis_.resize(host_gram_.size());
  const auto bytes = static_cast<int64_t>(host_gram_.size() * sizeof(float));
  gram_ = problem.device().allocate(bytes);
  basis_ = problem.device().allocate(bytes);
}

std::map<std::string, double> Rotation::run(Side fixed, FactorMatrix& x, FactorMatrix& theta) {
  Device& device = problem_->device();
  std::map<std::string, double> seconds;
  const FactorMatrix& factors = fixed == Side::x ? x : theta;
  const GramParams gram{problem_->ratings(fixed), factors.view(), gram_.as<float>()};
  seconds["gram"] = device.time([&] { of(fixed).gram->launch(gram); }).seconds;

  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const bool found = find_basis();
  seconds["eigenvectors"] = std::chrono::duration<double>(Clock::now() - start).count();
  if (!found) return seconds;

  for (const Side side : {Side::x, Side::theta}) {
    FactorMatrix& matrix = side == Side::x ? x : theta;
    const RotateParams rotate{matrix.view(), of(side).spare.view(), basis_.as<float>()};
    seconds["rotate"] += device.time([&] { of(side).rotate->launch(rotate); }).seconds;
    std::swap(matrix, of(side).spare);
  }
  return seconds;
}

bool Rotation::find_basis() {
  Device& device = problem_->device();
  device.download(host_gram_.data(), gram_.data(), gram_.bytes());
  if (!eigenvectors(host_gram_.data(), problem_->rank(), host_basis_.data())) return false;
  device.upload(basis_.data(), host_basis_.data(), basis_.bytes());
  return true;
}

}  // namespace alsbench
