// SPDX-License-Identifier: Apache-2.0
#include "harness/sweep/bounds.h"

#include <gtest/gtest.h>

namespace alsbench {
namespace {

constexpr double kCacheBytes = 50e6;

DeviceTraits gpu() {
  DeviceTraits traits;
  traits.backend = Backend::cuda;
  traits.multiprocessors = 100;
  traits.l2_bytes = static_cast<int64_t>(kCacheBytes);
  return traits;
}

Counters kernel(double seconds) {
  Counters counters;
  counters.seconds = seconds;
  counters.tensor = counters.fp32 = counters.l1 = counters.l2 = counters.dram = counters.issue =
      0.1;
  counters.active = 1;
  return counters;
}

std::optional<BoundBy> bound_of(const std::vector<Counters>& kernels) {
  return measured_bound({kernels, 1, {}});
}

TEST(MeasuredBound, IsTheBusiestUnit) {
  Counters counters = kernel(1);
  counters.l1 = 0.9;
  counters.dram = 0.7;
  const auto bound = bound_of({counters});
  EXPECT_EQ(bound->by, Limiter::l1);
  EXPECT_DOUBLE_EQ(bound->share, 0.9);
  EXPECT_TRUE(bound->measured);
}

TEST(MeasuredBound, IsLatencyWhereWarpsWaitAndNothingIsBusy) {
  Counters counters = kernel(1);
  counters.l1 = 0.59;
  EXPECT_EQ(bound_of({counters})->by, Limiter::latency);
  EXPECT_DOUBLE_EQ(bound_of({counters})->share, 0.59);
  counters.active = 0.4;
  EXPECT_EQ(bound_of({counters})->by, Limiter::launch);
}

TEST(MeasuredBound, IsThatOfTheLongestKernel) {
  Counters first = kernel(1), longest = kernel(2);
  first.tensor = 0.9;
  longest.dram = 0.8;
  EXPECT_EQ(bound_of({first, longest})->by, Limiter::dram);
}

TEST(MeasuredBound, IsNotKnownOfACpu) {
  Counters counters;
  counters.seconds = counters.cycles = counters.instructions = 1;
  EXPECT_FALSE(bound_of({counters}));
  EXPECT_FALSE(measured_bound({{}, 0, CountersFailure{}}));
}

class PredictedBound : public testing::Test {
 protected:
  PredictedBound() {
    record_.kernels.resize(1);
    record_.kernels[0].report.grid = 1000;
    measured_.shares = {{"copy", "row", Count::compulsory_bytes, true, 0.5}};
  }
  std::optional<BoundBy> bound() const {
    return predicted_bound(record_, measured_,
                           {{"fma", Count::useful_flops, true, Limiter::fp32},
                            {"copy", Count::compulsory_bytes, true, Limiter::dram}},
                           gpu());
  }

  CaseRecord record_;
  MeasurementRecord measured_;
};

TEST_F(PredictedBound, IsWhatTheNearestCeilingMeasures) {
  EXPECT_EQ(bound()->by, Limiter::dram);
  EXPECT_DOUBLE_EQ(bound()->share, 0.5);
  EXPECT_FALSE(bound()->measured);
}

TEST_F(PredictedBound, IsLatencyFarFromEveryCeiling) {
  measured_.shares[0].value = 0.3;
  EXPECT_EQ(bound()->by, Limiter::latency);
}

TEST_F(PredictedBound, IsLaunchWhereBlocksAreTooFew) {
  record_.kernels[0].report.grid = 49;
  EXPECT_EQ(bound()->by, Limiter::launch);
  record_.kernels.emplace_back();
  record_.kernels[1].report.grid = 50;
  EXPECT_EQ(bound()->by, Limiter::dram);
}

TEST_F(PredictedBound, IsNotGuessedWhereANearerCeilingMayBeMissing) {
  measured_.unmeasured_ceilings = {"fma"};
  EXPECT_FALSE(bound());
  measured_.shares[0].value = 0.7;
  EXPECT_EQ(bound()->by, Limiter::dram);
  measured_.shares.clear();
  EXPECT_FALSE(bound());
}

class TrafficOf : public testing::Test {
 protected:
  TrafficOf() {
    record_.work.emplace();
    record_.work->compulsory_bytes = 1e9;
    Counters counters = kernel(1);
    counters.dram_read_bytes = 1e9;
    counters.dram_write_bytes = 1e8;
    counters.l2_bytes = 3e9;
    measured_.counters = CountersRecord{{counters}, 1, {}};
  }
  const MeasurementRecord& of(CacheMode mode) {
    add_traffic(record_, mode, gpu(), measured_);
    return measured_;
  }

  CaseRecord record_;
  MeasurementRecord measured_;
};

TEST_F(TrafficOf, HasTheModelAndWhatWasMeasured) {
  record_.work->l2_bytes = 2.5e9;
  const MeasurementRecord& row = of(CacheMode::cold);
  EXPECT_DOUBLE_EQ(*row.dram.model_bytes, 1e9);
  EXPECT_NEAR(*row.dram.difference(), 0.1, 1e-12);
  EXPECT_NEAR(*row.l2.difference(), 0.2, 1e-12);
}

TEST_F(TrafficOf, ReadsAgainWhatTheCacheDoesNotHold) {
  record_.work->table_bytes = 2 * kCacheBytes;
  record_.work->missed_bytes = 5e8 + 2 * kCacheBytes;
  EXPECT_DOUBLE_EQ(*of(CacheMode::cold).dram.model_bytes, 1e9 + 5e8);
}

TEST_F(TrafficOf, HasNoModelWhereNobodyCountedMisses) {
  record_.work->table_bytes = 2 * kCacheBytes;
  EXPECT_FALSE(of(CacheMode::cold).dram.model_bytes);
  record_.work->table_bytes = kCacheBytes;
  EXPECT_DOUBLE_EQ(*of(CacheMode::cold).dram.model_bytes, 1e9);
}

TEST_F(TrafficOf, HasNoModelOfWhatAHotCacheMayHold) {
  EXPECT_TRUE(of(CacheMode::hot).dram.model_bytes);
  record_.work->compulsory_bytes = 1e8;
  EXPECT_FALSE(of(CacheMode::hot).dram.model_bytes);
  EXPECT_TRUE(of(CacheMode::cold).dram.model_bytes);
}

TEST_F(TrafficOf, OfGathersThatNobodyCountedHasNoModelOfL2) {
  EXPECT_DOUBLE_EQ(*of(CacheMode::cold).l2.model_bytes, 1e9);  // without gathers: each byte once
  record_.work->gathered_bytes = 1e9;
  EXPECT_FALSE(of(CacheMode::cold).l2.model_bytes);
}

TEST_F(TrafficOf, WithoutCountersHasTheModelAlone) {
  measured_.counters.reset();
  EXPECT_TRUE(of(CacheMode::cold).dram.model_bytes);
  EXPECT_FALSE(of(CacheMode::cold).dram.difference());
}

}  // namespace
}  // namespace alsbench
