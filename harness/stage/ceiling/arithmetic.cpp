// SPDX-License-Identifier: Apache-2.0
// fma: a sample of the sums, relative to their value; a step moves them by more than is
// tolerated. mma: a sample of the sums, which are whole numbers, exactly.
// spin: the ends of all chains, to the bit.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "harness/stage/ceiling/ceiling.h"
#include "harness/stage/check.h"
#include "harness/stage/supports.h"
#include "kernels/cpu/ceiling/fma.h"
#include "kernels/shared/mma_operands.h"
#include "kernels/shared/spin.h"
#include "variants/ceiling/sizes.h"

namespace alsbench {
namespace {

constexpr int64_t kSampled = 64;  // of sums

class FmaFixture : public StageFixture {
 public:
  explicit FmaFixture(const FixtureRequest& request)
      : StageFixture(request),
        cuda_(device().traits().backend == Backend::cuda),
        chains_(cuda_ ? kCeilingThreads * kFmaSummed : fma_chains_of_task()),
        tasks_(fma_tasks(device().traits())),
        target_(device().allocate(tasks_ * chains_ / kFmaSummed * int64_t{4})) {}
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override {
    return FmaParams{target_.as<float>(), tasks_, chains_, kFmaSteps};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{}, {region_of("sums", target_, Numbers::fp32)}, {}};
  }
  Work work(const WorkOptions&) const override {
    const double steps = static_cast<double>(tasks_ * chains_) * kFmaSteps;
    return {.useful_flops = 2 * steps};
  }

 private:
  bool cuda_;
  int32_t chains_;
  int64_t tasks_;
  Buffer target_;
};

class MmaFixture : public StageFixture {
 public:
  explicit MmaFixture(const FixtureRequest& request)
      : StageFixture(request),
        warps_(static_cast<int32_t>(mma_blocks(device().traits()) * (kCeilingThreads / 32))),
        target_(device().allocate(warps_ * int64_t{32 * 4})) {}
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override {
    return MmaParams{target_.as<float>(), warps_, kMmaSteps};
  }
  Operands operands(const Variant&, int64_t) const override {
    return {{}, {region_of("sums", target_)}, {}};
  }
  Work work(const WorkOptions& options) const override {
    const int depth = mma_depth(static_cast<int>(size_of(options.storage.factors)));
    const double products = static_cast<double>(warps_) * kMmaSteps * kMmaTiles;
    return {.useful_flops = products * 2 * kMmaRows * kMmaColumns * depth};
  }

 private:
  int32_t warps_;
  Buffer target_;
};

// The ends of chains from each start. In double a step is exact, so this rounds as a fused step.
std::array<double, kFmaStarts> ends_of_chains(int steps) {
  std::array<float, kFmaStarts> chains;
  for (uint32_t start = 0; start < kFmaStarts; ++start) chains[start] = fma_start(start);
  for (int step = 0; step < steps; ++step)  // outside, since a step waits for the one before it
    for (float& x : chains) x = static_cast<float>(double{x} * kFmaFactor + kFmaTerm);
  std::array<double, kFmaStarts> ends{};
  std::ranges::copy(chains, ends.begin());
  return ends;
}

Verification check_fma(const CheckRequest& request) {
  constexpr double kTolerance = 1e-6;  // 16 steps, a turn of the kernel's loop, are 5e-6 or more
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<FmaParams>();
  fixture.poison();
  request.executable.launch(params);
  const auto ends = ends_of_chains(params.steps);
  Tally tally;
  for (const int64_t at : sampled_numbers(params.tasks * params.chains / kFmaSummed, kSampled,
                                          request.references.draw())) {
    float sum = 0;
    request.device().download(&sum, params.target + at, sizeof(sum));
    double expected = 0;
    for (int64_t i = 0; i < kFmaSummed; ++i) expected += ends[(at * kFmaSummed + i) % kFmaStarts];
    RowCheck row;
    row.tolerance = kTolerance;
    row.element({"sum", at}, sum, expected, expected);
    tally.add(fmt::format("chains from {} on", at * kFmaSummed), row);
  }
  return tally.result();
}

// Part of a lane in all products of a warp: two columns of two rows (kernels/cuda/device/mma.cuh).
double lane_sum(int warp, int lane, int depth, int steps) {
  double sum = 0;
  for (int tile = 0; tile < kMmaTiles; ++tile)
    for (const int row : {lane / 4, lane / 4 + 8})
      for (const int column : {lane % 4 * 2, lane % 4 * 2 + 1})
        for (int k = 0; k < depth; ++k) sum += mma_a(warp, row, k) * mma_b(tile, k, column);
  return sum * steps;
}

Verification check_mma(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<MmaParams>();
  const Storage storage = storage_of(request.variant, request.config);
  const int depth = mma_depth(static_cast<int>(size_of(storage.factors)));
  fixture.poison();
  request.executable.launch(params);
  Tally tally;
  for (const int64_t at : sampled_numbers(params.warps * int64_t{32}, kSampled)) {
    float sum = 0;
    request.device().download(&sum, params.target + at, sizeof(sum));
    RowCheck row;
    const double expected =
        lane_sum(static_cast<int>(at / 32), static_cast<int>(at % 32), depth, params.steps);
    row.element({"sum", at}, sum, expected, 1);
    tally.add(fmt::format("lane {} of warp {}", at % 32, at / 32), row);
  }
  return tally.result();
}

class SpinFixture : public StageFixture {
 public:
  explicit SpinFixture(const FixtureRequest& request)
      : StageFixture(request),
        chains_(kSpinChains * int64_t{device().traits().multiprocessors}),
        target_(device().allocate(chains_ * int64_t{sizeof(uint32_t)})) {}
  void poison() override { fill_with_nan(target_); }
  StageParams params(int64_t) const override { return SpinParams{target_.as<uint32_t>(), chains_}; }
  Operands operands(const Variant&, int64_t) const override {
    return {{}, {region_of("ends", target_)}, {}};
  }

 private:
  int64_t chains_;
  Buffer target_;
};

// `steps` steps of a chain at once: squaring the step, as one squares a number to raise it to a
// power.
uint32_t end_of_chain(uint32_t start, int steps) {
  uint32_t x = start, factor = kSpinFactor, term = kSpinTerm;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) x = x * factor + term;
    term = factor * term + term;
    factor *= factor;
  }
  return x;
}

Verification check_chains(const CheckRequest& request) {
  StageFixture& fixture = request.fixture;
  const auto params = fixture.params(0).as<SpinParams>();
  fixture.poison();
  request.executable.launch(params);
  std::vector<uint32_t> ends(static_cast<size_t>(params.chains));
  request.device().download(ends.data(), params.target, params.chains * 4);
  Tally tally;
  for (size_t chain = 0; chain < ends.size(); ++chain) {
    RowCheck row;
    const uint32_t expected = end_of_chain(static_cast<uint32_t>(chain), kSpinSteps);
    if (ends[chain] != expected)
      row.fail(fmt::format("ends with {} instead of {}", ends[chain], expected));
    tally.add(fmt::format("chain {}", chain), row);
  }
  return tally.result();
}

}  // namespace

StageSupport fma_support() { return {"fma", make<FmaFixture>, check_fma}; }
StageSupport mma_support() { return {"mma", make<MmaFixture>, check_mma}; }
StageSupport spin_support() { return {"spin", make<SpinFixture>, check_chains}; }

}  // namespace alsbench
