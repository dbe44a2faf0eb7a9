// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/factors.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "harness/data/data_shape.h"
#include "harness/device/named_memory.h"
#include "harness/problem/factor_copy.h"

namespace alsbench {
namespace {

// Of this member's rows of a copy: each is sent while the next is made. Each takes 10 us of its
// own, and sending takes longer than making: three chunks, each larger than the one before.
int chunks_of(const Member& member) { return member.alone() ? 1 : 3; }

RowRange chunk_of(RowRange rows, int chunk, int chunks) {
  const auto begin = [&](int64_t of) {  // before chunk c are 1 + 2 + ... + c parts
    return rows.first + rows.count * (of * (of + 1)) / (int64_t{chunks} * (chunks + 1));
  };
  return {begin(chunk), begin(chunk + 1) - begin(chunk)};
}

}  // namespace

Factors::Factors(const DeviceProblem& problem, const FactorMatrix& initial_theta,
                 const Int8Weights& weights)
    : problem_(&problem),
      device_(&problem.device()),
      x_(*device_, problem.ratings(Side::x).rows, problem.rank()),
      theta_(*device_, problem.ratings(Side::theta).rows, problem.rank()),
      initial_theta_(&initial_theta),
      weights_(weights),
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
  const bool first = !copy;
  const NamedMemory named("rounded factors");
  if (first) copy = device_->allocate(factor_copy_bytes(type, factors, weights_));
  if (!rounds_elements(type)) {
    copy_factors(*device_, {copy.data(), type}, factors, nullptr, weights_);
    // All members have the same; but the first time takes connections, before anything is timed.
    if (first)
      problem_->member().all_reduce_max(largest_of(copy.data(), factors.rank), factors.rank);
    return;
  }
  const RowRange own = problem_->rows(side);  // whose overflows this member counts
  round_rows(*device_, {copy.data(), type}, factors, {0, own.first}, nullptr);
  round_rows(*device_, {copy.data(), type}, factors, own, overflows_.as<uint32_t>());
  round_rows(*device_, {copy.data(), type}, factors, {own.end(), factors.rows - own.end()},
             nullptr);
}

void Factors::convert(Side side, Scalar type, StageClock& clock) {
  if (type == Scalar::fp32) return;
  clock.device(name_of(side), "convert", [&] { round(side, type); });
}

// Makes this member's rows of a copy, and sends what is made while the rest is: all but the last
// chunk. An update has measured those of bytes.
void Factors::round_own(Side side, Scalar type, StageClock& clock) {
  const FactorsView factors = of(side).view();
  const Member& member = problem_->member();
  void* const copy = rounded(side).data();
  if (has_scales(type) && !member.alone())
    clock.device(name_of(side), kExchange,
                 [&] { member.all_reduce_max(largest_of(copy, factors.rank), factors.rank); });
  clock.device(name_of(side), "convert", [&] {
    const int chunks = chunks_of(member);
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const RowRange rows = chunk_of(problem_->rows(side), chunk, chunks);
      if (has_scales(type))
        quantize_rows(*device_, {copy, type}, factors, rows, weights_);
      else
        round_rows(*device_, {copy, type}, factors, rows, overflows_.as<uint32_t>());
      if (chunk + 1 < chunks) send(side, type, chunk, chunks);
    }
  });
}

// Sends a chunk of every member's rows.
void Factors::send(Side side, Scalar type, int chunk, int chunks) {
  const FactorsView factors = of(side).view();
  const std::vector<int64_t>& bounds = problem_->bounds(side);
  const int64_t row_bytes = copy_row_bytes(type, factors);
  std::vector<Block> blocks;
  for (size_t i = 1; i < bounds.size(); ++i) {
    const RowRange rows = chunk_of({bounds[i - 1], bounds[i] - bounds[i - 1]}, chunk, chunks);
    blocks.push_back(
        {copy_rows_at(type, factors) + rows.first * row_bytes, rows.count * row_bytes});
  }
  problem_->member().send(type == Scalar::fp32 ? factors.data : rounded(side).data(), blocks);
}

void Factors::exchange(Side side, Scalar type) {
  send(side, type, 0, 1);
  problem_->member().wait_for_blocks();
}

void Factors::exchange(Side side, Scalar type, StageClock& clock) {
  if (problem_->member().alone()) return;
  clock.device(name_of(side), kExchange, [&] { exchange(side, type); });
}

int64_t Factors::exchanged_bytes(Side side, Scalar type) const {
  const FactorsView factors = of(side).view();
  return factors.rows * copy_row_bytes(type, factors);
}

void Factors::update(HalfIteration& half, HalfIteration::Operands operands, Scalar type,
                     StageClock& clock) {
  const Side side = half.side();
  const bool same = half.factors_type() == type;
  const bool rounds = same && half.rounds(), measures = same && half.measures();
  if (!rounds && !measures) operands.rounded_solution = nullptr;
  half.run(operands, clock);
  if (type != Scalar::fp32 && !rounds) {
    if (has_scales(type) && !measures)
      clock.device(name_of(side), "convert", [&] {
        clear_largest(*device_, rounded(side).data(), problem_->rank());
        find_largest(*device_, rounded(side).data(), of(side).view(), problem_->rows(side));
      });
    round_own(side, type, clock);
    if (!problem_->member().alone())  // the others were sent
      clock.device(name_of(side), kExchange, [&] {
        const int chunks = chunks_of(problem_->member());
        send(side, type, chunks - 1, chunks);
        problem_->member().wait_for_blocks();
      });
  } else {
    exchange(side, type, clock);
  }
}

int64_t Factors::overflows() const {
  uint32_t count = 0;
  device_->download(&count, overflows_.data(), sizeof(count));
  return problem_->member().sum(int64_t{count});
}

void Factors::throw_non_finite(int iteration, std::string_view remedy) {
  if (const int64_t count = overflows(); count > 0)
    throw NonFiniteError(
        fmt::format("non-finite factors in iteration {}: {} of them are beyond the type that the "
                    "pipeline reads them in; use a pipeline with factors in bf16, tf32 or fp32, or "
                    "a larger lambda",
                    iteration, count));
  for (const Side side : {Side::x, Side::theta}) {
    exchange(side, Scalar::fp32);
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

std::vector<ModelMatrix> Factors::model() {
  return model_of([](FactorMatrix& matrix) { return matrix.download(); });
}

std::vector<ModelMatrix> Factors::last_model() {
  return model_of([](FactorMatrix& matrix) { return matrix.take(); });
}

std::vector<ModelMatrix> Factors::model_of(std::vector<float> (*values)(FactorMatrix&)) {
  std::vector<ModelMatrix> matrices;
  for (const Side side : {Side::x, Side::theta}) {
    exchange(side, Scalar::fp32);
    if (problem_->member().first())
      matrices.push_back(
          {std::string(name_of(side)), values(of(side)), of(side).view().rows, problem_->rank()});
  }
  return matrices;
}

void Factors::restore(const std::vector<ModelMatrix>& model, int64_t overflows) {
  for (const ModelMatrix& matrix : model) of(side_of(matrix.name)).upload(matrix.values);
  const auto count = static_cast<uint32_t>(problem_->member().first() ? overflows : 0);
  device_->upload(overflows_.data(), &count, sizeof(count));
}

int64_t initial_bytes_reused(const DeviceProblem& problem, uint64_t seed) {
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

double largest_share_of_sides(const DeviceProblem& problem, int members) {
  double share = 0;
  for (const Side side : {Side::x, Side::theta})
    share +=
        largest_share(problem.host_ratings(side).offsets, problem.row_partition(side, members));
  return share / 2;
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
