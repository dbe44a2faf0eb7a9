// SPDX-License-Identifier: Apache-2.0
#include "harness/train/iteration_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/clock.h"
#include "harness/device/energy_meter.h"
#include "tests/unit/algorithms/small_training.h"
#include "tests/unit/forwarding_device.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

constexpr double kWatts = 400;

// Its counter has a new value every 0.1 s.
class MeteredDevice : public ForwardingDevice {
 public:
  EnergyMeter energy_meter() const override {
    return {EnergySource::counter, [] { return kWatts * 0.1 * std::floor(10 * steady_seconds()); }};
  }
};

class IterationEnergy : public testing::Test {
 protected:
  IterationEnergy() { options_.energy = true; }

  RatingSet set_ = planted_set(60, 40, 0.5);
  TrainOptions options_ = options_of("exact");
};

TEST_F(IterationEnergy, IsThatOfIterationsInARow) {
  MeteredDevice device;
  const TrainResult result = train(device, set_, options_);
  ASSERT_TRUE(result.energy.measured) << result.energy.missing;
  const EnergyRecord& energy = *result.energy.measured;
  EXPECT_EQ(energy.source, EnergySource::counter);
  EXPECT_GE(energy.window_seconds, 0.8 * kIterationEnergyWindow);
  EXPECT_GT(energy.executions, options_.iterations);
  EXPECT_NEAR(energy.watts, kWatts, kWatts * 0.1);
  EXPECT_DOUBLE_EQ(energy.joules, energy.watts * energy.seconds);
  EXPECT_GE(energy.seconds * static_cast<double>(energy.executions), energy.window_seconds);
}

TEST_F(IterationEnergy, LeavesTheTrainingAsItWas) {
  MeteredDevice device;
  const TrainResult measured = train(device, set_, options_);
  options_.energy = false;
  const TrainResult plain = train(device, set_, options_);
  EXPECT_EQ(factors_of(measured, "x"), factors_of(plain, "x"));
  EXPECT_EQ(measured.iterations.size(), plain.iterations.size());
  EXPECT_EQ(measured.iterations.back().test_metric, plain.iterations.back().test_metric);
  EXPECT_FALSE(plain.energy.measured);
  EXPECT_EQ(plain.energy.missing, "");
}

TEST_F(IterationEnergy, ADeviceWithoutAMeterSaysWhy) {
  ForwardingDevice device;
  const TrainResult result = train(device, set_, options_);
  EXPECT_FALSE(result.energy.measured);
  EXPECT_EQ(result.energy.missing, device.energy_meter().remedy());
}

TEST_F(IterationEnergy, ATeamHasNone) {
  const TrainResult result = train(*team_of_cpus(2), set_, options_);
  EXPECT_TRUE(contains(result.energy.missing, "a team of devices"));
}

}  // namespace
}  // namespace alsbench
