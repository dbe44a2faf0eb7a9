// SPDX-License-Identifier: Apache-2.0
#include "harness/algorithms/als/factors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "harness/data/data_shape.h"
#include "harness/device/named_memory.h"
#include "harness/problem/factor_copy.h"

namespace alsbench {
namespace {

// Rows that become bytes while an update goes on are sent in parts, each a quarter of the one
// before: it is sent while the next one is solved. What is left in the end are the bytes of the
// last one.
constexpr int kMaxParts = 6;

int64_t whole(int parts) { return (int64_t{1} << (2 * parts)) - 1; }  // thirds of the last part

RowRange part_of(RowRange rows, int part, int parts) {
  const auto begin = [&](int of) {
    return rows.first + rows.count * (whole(parts) - whole(parts - of)) / whole(parts);
  };
  return {begin(part), begin(part + 1) - begin(part)};
}

int64_t last_part(int64_t bytes, int parts) { return bytes * 3 / whole(parts); }

// Another part costs a launch, and saves what it leaves of the last one.
int parts_of(int64_t bytes, int64_t bytes_of_a_launch) {
  int parts = 1;
  while (parts < kMaxParts &&
         last_part(bytes, parts) - last_part(bytes, parts + 1) > bytes_of_a_launch)
    ++parts;
  return parts;
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
  return {.ratings = problem_->ratings(side),
          .factors = of(other(side)),
          .rounded_factors = copy_of(other(side)).data.data(),
          .solution = of(side),
          .rounded_solution = copy_of(side).data.data(),
          .overflows = overflows_.as<uint32_t>()};
}

void Factors::make_copy(Side side, Scalar type) {
  const NamedMemory named("rounded factors");
  Copy& copy = copy_of(side);
  copy.data = device_->allocate(factor_copy_bytes(type, of(side).view(), weights_));
  if (!has_scales(type) || has_weights(weights_)) return;
  const Member& member = problem_->member();
  copy.carried = device_->allocate(sizeof(CarriedScales));
  device_->carry_scales(carrying(copy));  // so the kernel is there before anything is timed
  if (member.alone() || member.count() > kMaxTeam) return;
  copy.largest = device_->allocate(sizeof(SharedLargest));
  const std::vector<void*> others = member.others_of(copy.data.data());
  const std::vector<void*> largest = member.others_of(copy.largest.data());
  if (others.empty()) return;
  for (void* const other : others) copy.elsewhere.copies[copy.elsewhere.count++] = other;
  ShareLargestParams& shared = copy.shared;
  shared = {.copy = copy.data.data(), .rank = problem_->rank(), .member = member.index()};
  shared.everywhere[shared.devices++] = copy.largest.as<SharedLargest>();
  for (void* const other : largest)
    shared.everywhere[shared.devices++] = static_cast<SharedLargest*>(other);
  device_->share_largest(shared);
  member.wait_for_all();
  store_bytes(side, type, {0, 0}, {ByteScales::own, true});
}

CarryScalesParams Factors::carrying(const Copy& copy) const {
  return {copy.data.data(), problem_->rank(), copy.carried.as<CarriedScales>()};
}

void Factors::round(Side side, Scalar type) {
  if (type == Scalar::fp32) return;
  const bool first = !copy_of(side).data;
  if (first) make_copy(side, type);
  const Buffer& copy = copy_of(side).data;
  const FactorsView factors = of(side).view();
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

void Factors::raise_largest(Side side, StageClock& clock) {
  const Member& member = problem_->member();
  if (member.alone()) return;
  const Copy& copy = copy_of(side);
  clock.device(name_of(side), kExchange, [&] {
    if (copy.elsewhere.count == 0)
      return member.all_reduce_max(largest_of(copy.data.data(), problem_->rank()),
                                   problem_->rank());
    device_->share_largest(copy.shared);
    member.wait_for_all();
  });
}

void Factors::store_bytes(Side side, Scalar type, RowRange rows, StoredBytes how) {
  const Copy& copy = copy_of(side);
  device_->quantize(type, {.target = copy.data.data(),
                           .source = rows_of(of(side).view(), rows),
                           .first_row = rows.first,
                           .weights = weights_,
                           .elsewhere = how.everywhere ? copy.elsewhere : CopiesElsewhere{},
                           .shared = how.everywhere ? copy.largest.as<SharedLargest>() : nullptr,
                           .members = problem_->member().count(),
                           .scales = how.scales,
                           .carried = copy.carried.as<CarriedScales>()});
}

void Factors::share_own(Side side, Scalar type, StageClock& clock) {
  const RowRange own = problem_->rows(side);
  if (has_scales(type)) raise_largest(side, clock);
  if (copy_of(side).elsewhere.count > 0) return share_bytes(side, type, ByteScales::own, clock);
  clock.device(name_of(side), "convert", [&] {
    if (has_scales(type))
      store_bytes(side, type, own, {ByteScales::own});
    else
      round_rows(*device_, {copy_of(side).data.data(), type}, of(side).view(), own,
                 overflows_.as<uint32_t>());
  });
  exchange(side, type, clock);
}

void Factors::share_bytes(Side side, Scalar type, ByteScales scales, StageClock& clock) {
  clock.device(name_of(side), kExchange, [&] {
    store_bytes(side, type, problem_->rows(side), {scales, true});
    problem_->member().wait_for_all();
  });
}

void Factors::update_with_carried(HalfIteration& half, const HalfIteration::Operands& operands,
                                  Scalar type, StageClock& clock) {
  const Side side = half.side();
  const Copy& copy = copy_of(side);
  const bool shares = copy.elsewhere.count > 0;
  const int parts = shares ? parts_for(half, type, problem_->member().count()) : 1;
  half.prepare(clock, [&] { device_->carry_scales(carrying(copy)); });
  for (int part = 0; part < parts; ++part) {
    const RowRange rows = part_of(problem_->rows(side), part, parts);
    half.run_rows(operands, rows, clock);
    const bool finds = operands.rounded_solution == nullptr;
    if (finds || parts > 1)
      clock.device(name_of(side), "convert", [&] {
        if (finds) find_largest(*device_, copy.data.data(), of(side).view(), rows);
        if (parts == 1) return;
        store_bytes(side, type, rows, {ByteScales::carried});
        send(side, type, part, parts);
      });
  }
  raise_largest(side, clock);
  if (parts > 1)
    clock.device(name_of(side), kExchange, [&] { problem_->member().wait_for_blocks(); });
  if (shares)
    return share_bytes(side, type, parts > 1 ? ByteScales::renewed : ByteScales::suitable, clock);
  clock.device(name_of(side), "convert",
               [&] { store_bytes(side, type, problem_->rows(side), {ByteScales::suitable}); });
  exchange(side, type, clock);
}

int Factors::parts_for(const HalfIteration& half, Scalar type, int members) const {
  const FactorsView factors = of(half.side()).view();
  const int64_t sent = factors.rows / members * copy_row_bytes(type, factors) * (members - 1);
  return half.runs_parts() ? parts_of(sent, problem_->member().bytes_of_a_launch()) : 1;
}

// Sends a part of every member's rows.
void Factors::send(Side side, Scalar type, int part, int parts) {
  const FactorsView factors = of(side).view();
  const std::vector<int64_t>& bounds = problem_->bounds(side);
  const int64_t row_bytes = copy_row_bytes(type, factors);
  std::vector<Block> blocks;
  for (size_t i = 1; i < bounds.size(); ++i) {
    const RowRange rows = part_of({bounds[i - 1], bounds[i] - bounds[i - 1]}, part, parts);
    blocks.push_back(
        {copy_rows_at(type, factors) + rows.first * row_bytes, rows.count * row_bytes});
  }
  problem_->member().send(type == Scalar::fp32 ? factors.data : copy_of(side).data.data(), blocks);
}

void Factors::exchange(Side side, Scalar type) {
  send(side, type, 0, 1);
  problem_->member().wait_for_blocks();
}

void Factors::exchange(Side side, Scalar type, StageClock& clock) {
  if (problem_->member().alone()) return;
  clock.device(name_of(side), kExchange, [&] { exchange(side, type); });
}

int64_t Factors::exchanged_bytes(const HalfIteration& half, Scalar type, int members) const {
  const FactorsView factors = of(half.side()).view();
  const int64_t bytes = factors.rows * copy_row_bytes(type, factors);
  if (!has_scales(type) || copy_of(half.side()).elsewhere.count == 0 || members > kMaxTeam)
    return bytes;
  return last_part(bytes, parts_for(half, type, members));
}

void Factors::update(HalfIteration& half, HalfIteration::Operands operands, Reading reading,
                     StageClock& clock) {
  const Side side = half.side();
  const Scalar type = reading.type;
  const bool same = half.factors_type() == type;
  const bool rounds = same && half.rounds(), measures = same && half.measures();
  if (!rounds && !measures) operands.rounded_solution = nullptr;
  if (reading.scales == CopyScales::carried && has_scales(type) && copy_of(side).carried)
    return update_with_carried(half, operands, type, clock);
  half.run(operands, clock);
  if (type == Scalar::fp32 || rounds) return exchange(side, type, clock);
  if (has_scales(type) && !measures)
    clock.device(name_of(side), "convert", [&] {
      clear_largest(*device_, copy_of(side).data.data(), problem_->rank());
      find_largest(*device_, copy_of(side).data.data(), of(side).view(), problem_->rows(side));
    });
  share_own(side, type, clock);
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

void Factors::restore(const std::vector<ModelMatrix>& model) {
  for (const ModelMatrix& matrix : model) of(side_of(matrix.name)).upload(matrix.values);
}

void Factors::restore_overflows(int64_t overflows) {
  const auto count = static_cast<uint32_t>(problem_->member().first() ? overflows : 0);
  device_->upload(overflows_.data(), &count, sizeof(count));
}

std::vector<float> Factors::magnitudes(Side side, Scalar type, CopyScales scales) const {
  if (!has_scales(type)) return {};
  const Copy& copy = copy_of(side);
  std::vector<float> largest(static_cast<size_t>(problem_->rank()));
  std::vector<float> carried = largest;
  const auto bytes = static_cast<int64_t>(largest.size() * sizeof(float));
  device_->download(largest.data(), largest_of(copy.data.data(), problem_->rank()), bytes);
  if (scales == CopyScales::own || !copy.carried) return largest;
  device_->download(carried.data(), copy.carried.as<CarriedScales>()->largest, bytes);
  return std::ranges::equal(carried, largest, CarriedScales::suits) ? carried : largest;
}

void Factors::restore_copy(Side side, Scalar type, const std::vector<float>& magnitudes) {
  round(side, type);
  if (!has_scales(type) || magnitudes.empty()) return;
  void* const copy = copy_of(side).data.data();
  const FactorsView factors = of(side).view();
  const RowRange all{0, factors.rows};
  device_->upload(largest_of(copy, factors.rank), magnitudes.data(),
                  factors.rank * int64_t{sizeof(float)});
  store_bytes(side, type, all, {ByteScales::own});
  clear_largest(*device_, copy, factors.rank);
  find_largest(*device_, copy, factors, all);
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
