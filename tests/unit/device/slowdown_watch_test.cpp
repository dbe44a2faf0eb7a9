// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "harness/device/nvml.h"
#include "harness/device/nvml_types.h"
#include "tests/unit/device/fake_nvml/fake_nvml.h"

namespace alsbench {
namespace {

constexpr unsigned long long kIdle = 0x1, kPowerCap = 0x4, kHardware = 0x8;
constexpr double kShort = 0.005, kLong = 2;  // seconds

class SlowdownWatchTest : public testing::Test {
 protected:
  SlowdownWatchTest()
      : handle_(dlopen(ALSBENCH_FAKE_NVML, RTLD_NOW | RTLD_LOCAL)),
        fake_(handle_ == nullptr ? nullptr : static_cast<FakeNvml*>(dlsym(handle_, "fake_nvml"))) {}
  ~SlowdownWatchTest() override {
    if (handle_ != nullptr) dlclose(handle_);
  }
  void SetUp() override {
    ASSERT_NE(fake_, nullptr) << dlerror();
    *fake_ = {};
  }

  void* handle_;
  FakeNvml* fake_;
};

TEST_F(SlowdownWatchTest, TimeUnderACapIsASlowdownAndTheReasonThatStaysIsNone) {
  const NvmlDevice nvml("0000:18:00.0");
  fake_->clock_reasons = kPowerCap;
  fake_->power_cap_nanoseconds = 7'000'000'000;
  {
    const SlowdownWatch watch(nvml);
    EXPECT_FALSE(watch.slowed(kShort));
    EXPECT_FALSE(watch.slowed(kLong));
    fake_->power_cap_nanoseconds += 100'000'000;
    EXPECT_TRUE(watch.slowed(kShort));
  }
  const SlowdownWatch watch(nvml);
  EXPECT_FALSE(watch.slowed(kShort));
  fake_->thermal_cap_nanoseconds += 1;
  EXPECT_TRUE(watch.slowed(kShort));
}

TEST_F(SlowdownWatchTest, HardwareThatBeginsToSlowDownIsSeenByItsReason) {
  const NvmlDevice nvml("0000:18:00.0");
  const SlowdownWatch watch(nvml);
  fake_->clock_reasons = kIdle;
  EXPECT_FALSE(watch.slowed(kShort));
  fake_->clock_reasons = kHardware;
  EXPECT_TRUE(watch.slowed(kShort));
}

TEST_F(SlowdownWatchTest, WithoutCountersAReasonFromBeforeCountsForLongWorkAlone) {
  const NvmlDevice nvml("0000:18:00.0");
  fake_->fields_status = nvml::kNotSupported;
  {
    const SlowdownWatch watch(nvml);
    fake_->clock_reasons = kPowerCap;
    EXPECT_TRUE(watch.slowed(kShort));
  }
  const SlowdownWatch watch(nvml);
  EXPECT_FALSE(watch.slowed(kShort));
  EXPECT_TRUE(watch.slowed(kLong));
}

TEST_F(SlowdownWatchTest, NothingIsKnownOfAnAbsentDevice) {
  dlclose(handle_);
  handle_ = nullptr;
  const NvmlDevice nvml("ffff:ff:1f.0");
  EXPECT_FALSE(SlowdownWatch(nvml).slowed(kLong));
}

TEST_F(SlowdownWatchTest, PowerIsThatOfNow) {
  const NvmlDevice nvml("0000:18:00.0");
  fake_->milliwatts = 234'500;
  EXPECT_DOUBLE_EQ(nvml.state().power_watts, 234.5);
}

}  // namespace
}  // namespace alsbench
