// SPDX-License-Identifier: Apache-2.0
#include "harness/device/energy_window.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "base/clock.h"
#include "base/error.h"

namespace alsbench {
namespace {

void sleep(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

// A device of so many watts whose source has a new value every `step` seconds, and takes
// `read_seconds` to be read; an execution takes `seconds`.
struct FakeDevice {
  double watts = 300, step = 0.1, seconds = 0.001, read_seconds = 0;

  EnergyRecord measure(EnergySource source) const {
    const EnergyMeter meter(source, [this, source] {
      sleep(read_seconds);
      return source == EnergySource::power ? watts
                                           : watts * step * std::floor(steady_seconds() / step);
    });
    return measure_energy(meter,
                          [this](int64_t count) { sleep(seconds * static_cast<double>(count)); });
  }
};

TEST(EnergyWindow, StepsOfACounterAreNoError) {
  for (const double step : {0.02, 0.1}) {
    const EnergyRecord energy = FakeDevice{.step = step}.measure(EnergySource::counter);
    EXPECT_NEAR(energy.watts, 300, 300 * 0.1);
    EXPECT_DOUBLE_EQ(energy.joules, energy.watts * energy.seconds);
    EXPECT_GE(energy.window_seconds, 0.8 * kEnergyWindow);
    EXPECT_NEAR(energy.resolution_seconds, step, step / 2);
  }
}

TEST(EnergyWindow, NoExecutionWaitsForASlowSource) {
  const EnergyRecord energy = FakeDevice{.read_seconds = 0.02}.measure(EnergySource::counter);
  const EnergyRecord quick = FakeDevice{}.measure(EnergySource::counter);
  EXPECT_LT(energy.seconds, 3 * quick.seconds);
  EXPECT_NEAR(energy.watts, 300, 300 * 0.15);
}

TEST(EnergyWindow, ALongExecutionIsExecutedOnceAtLeast) {
  const EnergyRecord energy = FakeDevice{.seconds = 0.8}.measure(EnergySource::counter);
  EXPECT_EQ(energy.executions, 1);
  EXPECT_NEAR(energy.joules, 240, 240 * 0.2);
}

TEST(EnergyWindow, PowerIsAMeanOverTheWindow) {
  const EnergyRecord energy = FakeDevice{}.measure(EnergySource::power);
  EXPECT_EQ(energy.source, EnergySource::power);
  EXPECT_DOUBLE_EQ(energy.watts, 300);
}

TEST(EnergyWindow, ACounterThatStandsStillIsRefused) {
  EXPECT_THROW(FakeDevice{.watts = 0}.measure(EnergySource::counter), EnvironmentError);
}

TEST(EnergyWindow, AFaultOfAnExecutionEndsTheReading) {
  const EnergyMeter meter(EnergySource::power, [] { return 1.0; });
  EXPECT_THROW(measure_energy(meter, [](int64_t) { throw UsageError("no"); }), UsageError);
  int64_t runs = 0;
  EXPECT_THROW(measure_energy(meter,
                              [&](int64_t) {
                                sleep(0.01);
                                if (++runs == 3) throw UsageError("no");
                              }),
               UsageError);
}

}  // namespace
}  // namespace alsbench
