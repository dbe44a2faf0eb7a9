// SPDX-License-Identifier: Apache-2.0
// The sampler on a device that counts: the fake one launches kernels of known times.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "harness/device/counters_unavailable.h"
#include "harness/measure/sampler.h"
#include "harness/stage/stage_support.h"
#include "tests/unit/forwarding_device.h"
#include "tests/unit/rating_sets.h"
#include "variants/catalog.h"

namespace alsbench {
namespace {

class CountingDevice : public ForwardingDevice {
 public:
  Counted count(const std::function<void()>& prepare, const std::function<void()>& work) override {
    if (refuses) throw CountersUnavailable(CountersFailureKind::busy, "another profiler", "end it");
    prepare();
    log += "|";
    work();
    Counted counted{{}, 1};
    for (const double seconds : kernel_seconds) {
      counted.kernels.emplace_back();
      counted.kernels.back().seconds = seconds;
    }
    return counted;
  }
  void flush_cache() override { log += "flush "; }

  std::vector<double> kernel_seconds;
  bool refuses = false;
  std::string log;  // of what was done before "|" and after it
};

// Reports as many kernels as it is told.
class FakeExecutable : public Executable {
 public:
  FakeExecutable(std::string& log, size_t kernels) : log_(log), kernels_(kernels) {}
  void launch(const StageParams&) override { log_ += "launch "; }
  const std::vector<KernelReport>& kernels() const override { return kernels_; }

 private:
  std::string& log_;
  std::vector<KernelReport> kernels_;
};

class CountExecution : public testing::Test {
 protected:
  CountersRecord count(size_t kernels, CacheMode mode = CacheMode::cold) {
    const Stage stage = *stage_named("copy");
    const Variant& variant = variant_named(stage, "memcpy", Backend::cpu);
    const auto fixture = make_fixture({problem_, stage, "x", storage_of(variant, Config()), 1});
    FakeExecutable executable(device_.log, kernels);
    return count_execution(*fixture, variant, executable, mode);
  }

  CountingDevice device_;
  RatingSet set_ = planted_set(20, 10, 0.5);
  DeviceProblem problem_{device_, set_, 4, 0.1f};
};

TEST_F(CountExecution, AddsUpTheBatchesOfEachKernel) {
  device_.kernel_seconds = {1, 10, 2, 20, 4, 40};
  const CountersRecord record = count(2);
  ASSERT_EQ(record.kernels.size(), 2U);
  EXPECT_EQ(record.kernels[0].seconds, 7);
  EXPECT_EQ(record.kernels[1].seconds, 70);
  EXPECT_EQ(record.executions, 1);
}

TEST_F(CountExecution, HasAllInOneWhereTheKernelsAreALibrarys) {
  device_.kernel_seconds = {1, 2, 4};
  ASSERT_EQ(count(0).kernels.size(), 1U);
  EXPECT_EQ(count(0).kernels[0].seconds, 7);
  EXPECT_EQ(count(2).kernels.size(), 1U);  // not a multiple of what the executable reports
}

TEST_F(CountExecution, LeavesTheCachesAsSamplesFindThem) {
  device_.kernel_seconds = {1};
  count(1, CacheMode::cold);
  EXPECT_EQ(device_.log, "flush |launch ");
  device_.log.clear();
  count(1, CacheMode::hot);
  EXPECT_EQ(device_.log, "launch |launch ");
}

TEST_F(CountExecution, SaysWhyThereAreNoCounters) {
  EXPECT_EQ(count(1).refusal->why, CountersFailureKind::failed);  // nothing was launched
  device_.refuses = true;
  const CountersRecord record = count(1);
  EXPECT_FALSE(record.counted());
  EXPECT_EQ(record.refusal->why, CountersFailureKind::busy);
  EXPECT_EQ(record.refusal->remedy, "end it");
}

}  // namespace
}  // namespace alsbench
