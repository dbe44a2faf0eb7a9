// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/factors.h"

#include <fmt/format.h>

#include <cmath>

#include "harness/data/data_shape.h"
#include "harness/problem/factor_copy.h"
#include "variants/core/error.h"

namespace alsbench {

Factors::Factors(const DeviceProblem& problem, const FactorMatrix& initial_theta)
    : problem_(&problem),
      device_(&problem.device()),
      x_(*device_, problem.ratings(Side::x).rows, problem.rank()),
      theta_(*device_, problem.ratings(Side::theta).rows, problem.rank()),
      initial_theta_(&initial_theta),
      overflows_(device_->allocate(sizeof(uint32_t))) {
  reset();
}

void Factors::reset() {
  device_->fill(x_.view().data, 0, x_.bytes());
  device_->copy(theta_.view().data, initial_theta_->view().data, theta_.bytes());
  device_->fill(overflows_.data(), 0, overflows_.bytes());
}

HalfIteration::Operands Factors::operands(Side side) {
  return {problem_->ratings(side), of(other(side)),          rounded(other(side)).data(), of(side),
          rounded(side).data(),    overflows_.as<uint32_t>()};
}

void Factors::round(Side side, Scalar type) {
  if (type == Scalar::fp32) return;
  Buffer& copy = rounded(side);
  const FactorsView factors = of(side).view();
  if (!copy) copy = device_->allocate(factor_copy_bytes(type, factors));
  copy_factors(*device_, copy.data(), type, factors, overflows_.as<uint32_t>());
}

void Factors::convert(Side side, Scalar type, StageClock& clock) {
  if (type == Scalar::fp32) return;
  clock.device(name_of(side), "convert", [&] { round(side, type); });
}

void Factors::update(HalfIteration& half, HalfIteration::Operands operands, Scalar type,
                     StageClock& clock) {
  const Side side = half.side();
  const bool same = half.factors_type() == type;
  const bool rounds = same && half.rounds(), measures = same && half.measures();
  if (!rounds && !measures) operands.rounded_solution = nullptr;
  half.run(operands, clock);
  if (measures)
    clock.device(name_of(side), "convert",
                 [&] { copy_measured_factors(*device_, rounded(side).data(), of(side).view()); });
  else if (!rounds)
    convert(side, type, clock);
}

int64_t Factors::overflows() const {
  uint32_t count = 0;
  device_->download(&count, overflows_.data(), sizeof(count));
  return count;
}

void Factors::throw_non_finite(int iteration, std::string_view remedy) const {
  if (const int64_t count = overflows(); count > 0)
    throw NonFiniteError(
        fmt::format("non-finite factors in iteration {}: {} of them are beyond the type that the "
                    "pipeline reads them in; use a pipeline with factors in bf16, tf32 or fp32, or "
                    "a larger lambda",
                    iteration, count));
  for (const Side side : {Side::x, Side::theta}) {
    const std::vector<float> values = of(side).download();
    const int64_t rank = of(side).view().rank;
    for (size_t i = 0; i < values.size(); ++i)
      if (!std::isfinite(values[i]))
        throw NonFiniteError(
            fmt::format("non-finite factor in iteration {}: {} row {}, element {} is {}; {}",
                        iteration, name_of(side), static_cast<int64_t>(i) / rank,
                        static_cast<int64_t>(i) % rank, values[i], remedy));
  }
}

std::vector<ModelMatrix> Factors::model() const {
  std::vector<ModelMatrix> matrices;
  for (const Side side : {Side::x, Side::theta})
    matrices.push_back(
        {std::string(name_of(side)), of(side).download(), of(side).view().rows, problem_->rank()});
  return matrices;
}

int64_t initial_bytes_held(const DeviceProblem& problem, uint64_t seed) {
  const int64_t before = problem.device().allocated_bytes();
  const FactorMatrix& initial = problem.initial(Side::theta, seed);
  return initial.bytes() - (problem.device().allocated_bytes() - before);
}

Side side_of(const std::string& part) { return side_named(part).value(); }

Shape part_shape(const DeviceProblem& problem, const std::string& part) {
  return problem.shape(side_of(part));
}

Shape part_shape_of_set(const RatingSet& set, int32_t rank, const std::string& part) {
  return shape_of(side_of(part) == Side::x ? set.by_user : set.by_item, rank);
}

double part_seconds(const IterationRecord& record, const std::string& part) {
  const std::string read = std::string(name_of(other(side_of(part)))) + "/convert";
  double seconds = 0;
  for (const auto& [stage, value] : record.stage_seconds)
    if ((stage.starts_with(part + "/") && !stage.ends_with("/convert")) || stage == read)
      seconds += value;
  return seconds;
}

}  // namespace alsbench
