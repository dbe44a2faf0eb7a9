// SPDX-License-Identifier: Apache-2.0
#include "harness/device/energy_window.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace alsbench {
namespace {

// A device of so many watts whose source has a new value every `step` seconds; an execution takes
// `seconds`.
struct FakeDevice {
  double watts = 300, step = 0.1, seconds = 0.001;
  double now = 0;

  EnergyRecord measure(EnergySource source) {
    const EnergyClock clock{
        [this] { return now; },
        [this, source] {
          return source == EnergySource::power ? watts : watts * step * std::floor(now / step);
        }};
    return measure_energy(source, clock,
                          [this](int64_t count) { now += seconds * static_cast<double>(count); });
  }
};

TEST(Energy, StepsOfACounterAreNoError) {
  for (const double step : {0.02, 0.1}) {
    FakeDevice device{.step = step};
    const EnergyRecord energy = device.measure(EnergySource::counter);
    EXPECT_NEAR(energy.joules, 0.3, 0.3 * 0.02);
    EXPECT_NEAR(energy.watts, 300, 300 * 0.02);
    EXPECT_NEAR(energy.seconds, 0.001, 1e-9);
    EXPECT_GE(energy.window_seconds, kEnergyWindow);
    EXPECT_NEAR(energy.resolution_seconds, step, step / 4);
  }
}

TEST(Energy, ALongExecutionIsExecutedOnceAtLeast) {
  FakeDevice device{.seconds = 0.4};
  const EnergyRecord energy = device.measure(EnergySource::counter);
  EXPECT_GE(energy.executions, 1);
  EXPECT_NEAR(energy.joules, 120, 120 * 0.3);
}

TEST(Energy, PowerIsAMeanOverTheWindow) {
  FakeDevice device;
  const EnergyRecord energy = device.measure(EnergySource::power);
  EXPECT_EQ(energy.source, EnergySource::power);
  EXPECT_DOUBLE_EQ(energy.watts, 300);
  EXPECT_NEAR(energy.joules, 0.3, 1e-9);
}

TEST(Energy, ACounterThatStandsStillIsRefused) {
  FakeDevice device{.watts = 0};
  EXPECT_THROW(device.measure(EnergySource::counter), EnvironmentError);
}

}  // namespace
}  // namespace alsbench
