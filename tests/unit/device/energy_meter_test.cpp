// SPDX-License-Identifier: Apache-2.0
#include "harness/device/energy_meter.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "tests/unit/device/fake_nvml/fake_nvml.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

TEST(EnergyMeter, PackagesOfAProcessorAreAddedUpAndMayBeginAnew) {
  const ScratchFolder folder;
  for (const char* package : {"intel-rapl:0", "intel-rapl:1", "intel-rapl:0:0"}) {
    std::filesystem::create_directories(folder.path() / package);
    folder.write(std::string(package) + "/max_energy_range_uj", "1000000\n");
    folder.write(std::string(package) + "/energy_uj", "900000\n");
  }
  const EnergyMeter meter = EnergyMeter::of_packages(folder.path());
  ASSERT_EQ(meter.source(), EnergySource::counter);
  EXPECT_DOUBLE_EQ(meter.read(), 0);
  folder.write("intel-rapl:0/energy_uj", "950000\n");
  EXPECT_NEAR(meter.read(), 0.05, 1e-12);
  folder.write("intel-rapl:1/energy_uj", "100000\n");  // after its range
  EXPECT_NEAR(meter.read(), 0.05 + 0.2, 1e-12);
}

TEST(EnergyMeter, AProcessorWithoutCountersSaysWhatHelps) {
  const ScratchFolder folder;
  const EnergyMeter meter = EnergyMeter::of_packages(folder.path());
  EXPECT_FALSE(meter.source());
  EXPECT_TRUE(contains(meter.remedy(), "energy_uj"));
}

TEST(EnergyMeter, AGpuHasACounterElseItsPower) {
  void* const handle = dlopen(ALSBENCH_FAKE_NVML, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << dlerror();
  auto* const fake = static_cast<FakeNvml*>(dlsym(handle, "fake_nvml"));
  *fake = {};
  fake->millijoules = 5000;
  fake->milliwatts = 250'000;
  EnergyMeter meter = EnergyMeter::of_gpu("0000:18:00.0");
  EXPECT_EQ(meter.source(), EnergySource::counter);
  EXPECT_DOUBLE_EQ(meter.read(), 5);
  fake->no_energy = true;
  EnergyMeter by_power = EnergyMeter::of_gpu("0000:18:00.0");
  EXPECT_EQ(by_power.source(), EnergySource::power);
  EXPECT_DOUBLE_EQ(by_power.read(), 250);
  dlclose(handle);
}

}  // namespace
}  // namespace alsbench
