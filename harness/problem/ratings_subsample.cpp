// SPDX-License-Identifier: Apache-2.0
#include "harness/problem/ratings_subsample.h"

#include <algorithm>
#include <cmath>

namespace alsbench {

int64_t SubsampleRule::taken(int64_t count) const {
  const auto part = static_cast<int64_t>(std::ceil(share * static_cast<double>(count)));
  return std::min(count, std::max(part, minimum));
}

RatingsSubsample::RatingsSubsample(const DeviceProblem& problem, Side side, SubsampleRule rule)
    : ratings_(problem.ratings(side)) {
  Device& device = problem.device();
  const Array<int64_t>& whole = problem.host_ratings(side).offsets;
  std::vector<int64_t> offsets(static_cast<size_t>(whole.size()), 0);
  for (int64_t row = 0; row < ratings_.rows; ++row)
    offsets[row + 1] = offsets[row] + rule.taken(whole[row + 1] - whole[row]);
  nnz_ = offsets.back();
  offsets_ = device.allocate(whole.bytes());
  device.upload(offsets_.data(), offsets.data(), offsets_.bytes());
  if (ratings_.offsets32 != nullptr) {
    const std::vector<int32_t> narrow(offsets.begin(), offsets.end());
    offsets32_ = device.allocate(whole.size() * static_cast<int64_t>(sizeof(int32_t)));
    device.upload(offsets32_.data(), narrow.data(), offsets32_.bytes());
  }
  indices_ = device.allocate(nnz_ * static_cast<int64_t>(sizeof(int32_t)));
  values_ = device.allocate(nnz_ * static_cast<int64_t>(sizeof(float)));
}

RatingsView RatingsSubsample::view() const {
  RatingsView view = ratings_;
  view.offsets = offsets_.as<int64_t>();
  view.offsets32 = offsets32_.as<int32_t>();
  view.indices = indices_.as<int32_t>();
  view.values = values_.as<float>();
  view.nnz = nnz_;
  return view;
}

SubsampleParams RatingsSubsample::params(uint64_t seed) const {
  SubsampleParams params;
  params.ratings = ratings_;
  params.offsets = offsets_.as<int64_t>();
  params.indices = indices_.as<int32_t>();
  params.values = values_.as<float>();
  params.seed = seed;
  return params;
}

}  // namespace alsbench
