// SPDX-License-Identifier: Apache-2.0
#include "harness/device/nvml.h"

#include <gtest/gtest.h>

#include <cmath>

namespace alsbench {
namespace {

TEST(Nvml, AnAbsentDeviceHasNoAnswers) {
  const NvmlDevice device("ffff:ff:1f.0");
  EXPECT_FALSE(device.state().available);
  EXPECT_TRUE(std::isnan(device.state().temperature_celsius));
  EXPECT_FALSE(device.power_limit_watts());
  EXPECT_FALSE(device.ecc_enabled());
}

TEST(Nvml, IdleAndApplicationClocksAreNoThrottling) {
  EXPECT_FALSE(NvmlDevice::is_throttled(0x1 | 0x2));
  EXPECT_TRUE(NvmlDevice::is_throttled(0x1 | 0x4));
  EXPECT_EQ(NvmlDevice::throttle_text(0x1), "");
  EXPECT_EQ(NvmlDevice::throttle_text(0x4 | 0x40), "software power cap, hardware thermal slowdown");
}

}  // namespace
}  // namespace alsbench
