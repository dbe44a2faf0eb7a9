// SPDX-License-Identifier: Apache-2.0
// Values of --device, on machines with other GPUs than this one.
#include "harness/device/device_selection.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace alsbench {
namespace {

using Names = std::vector<std::string>;

TEST(OneDevice, IsTheFirstGpuElseTheCpuWhereNothingIsNamed) {
  EXPECT_EQ(one_device("auto", 0), "cpu");
  EXPECT_EQ(one_device("auto", 8), "0");
}

TEST(OneDevice, IsTheOneNamed) {
  EXPECT_EQ(one_device("cpu", 8), "cpu");
  EXPECT_EQ(one_device("1", 2), "1");
  EXPECT_EQ(one_device("01", 2), "1");
}

TEST(OneDevice, IsNoOtherWord) {
  for (const char* wrong : {"gpu", "-1", "1000", "0,1", "all", "", "cuda", "sm_90"})
    EXPECT_THROW(one_device(wrong, 2), UsageError) << wrong;
  EXPECT_THROW(one_device("2", 2), EnvironmentError);
}

TEST(OneDevice, IsToldFromOtherNames) {
  for (const char* local : {"auto", "cpu", "0", "99"})
    EXPECT_TRUE(names_one_device(local)) << local;
  for (const char* other : {"all", "sm_90", "nvidia-h200", "0,1", ""})
    EXPECT_FALSE(names_one_device(other)) << other;
}

TEST(SeveralDevices, AreThoseNamedEachOnce) {
  EXPECT_EQ(several_devices("auto", 0), Names{"cpu"});
  EXPECT_EQ(several_devices("auto", 8), Names{"0"});
  EXPECT_EQ(several_devices("all", 0), (Names{"cpu", "0"}));  // listed with the reason
  EXPECT_EQ(several_devices("all", 3), (Names{"cpu", "0", "1", "2"}));
  EXPECT_EQ(several_devices("0,1", 2), (Names{"0", "1"}));
  EXPECT_EQ(several_devices("1,cpu", 2), (Names{"1", "cpu"}));
  EXPECT_EQ(several_devices("1,01,1", 2), Names{"1"});
}

TEST(OneTeam, JoinsDevicesThatTrainTogether) {
  EXPECT_EQ(one_team("auto", 0), "cpu");
  EXPECT_EQ(one_team("1", 2), "1");
  EXPECT_EQ(one_team("0+1", 2), "0+1");
  EXPECT_EQ(one_team("0,01", 2), "0+1");
  EXPECT_EQ(one_team("all", 3), "0+1+2");
  EXPECT_EQ(one_team("all", 0), "cpu");
  EXPECT_EQ(one_team("cpu+cpu", 0), "cpu+cpu");
  EXPECT_EQ(team_members("0+1"), (Names{"0", "1"}));
}

TEST(OneTeam, HasEachGpuOnceAndNoCpuBesideThem) {
  for (const char* wrong : {"0+0", "0+cpu", "cpu+1", "0+", "+", "", "0*2", "gpu"})
    EXPECT_THROW(one_team(wrong, 2), UsageError) << wrong;
  EXPECT_THROW(one_team("0+2", 2), EnvironmentError);
}

TEST(SeveralDevices, MayBeTeams) {
  EXPECT_EQ(several_devices("0,0+1", 2), (Names{"0", "0+1"}));
  EXPECT_EQ(several_devices("cpu,cpu+cpu", 0), (Names{"cpu", "cpu+cpu"}));
}

TEST(SeveralDevices, ThatAreNotThereOrAreNoneSaySo) {
  EXPECT_THROW(several_devices("2", 2), EnvironmentError);
  EXPECT_THROW(several_devices("0,1", 1), EnvironmentError);
  for (const char* wrong : {"gpu", "0;1", "-1", "1000", "0,x", "0,", ",0", "0,,1", "cuda", ""})
    EXPECT_THROW(several_devices(wrong, 2), UsageError) << wrong;
}

TEST(DeviceSelection, AProcessOfSeveralHasAGpuOfItsOwn) {
  EXPECT_EQ(device_of_process("auto", 1, 2), "1");
  EXPECT_EQ(device_of_process("auto", 1, 0), "cpu");
  EXPECT_EQ(device_of_process("cpu", 1, 2), "cpu");
  EXPECT_EQ(device_of_process("0", 1, 2), "0") << "of what the scheduler lets it see";
  EXPECT_THROW(device_of_process("auto", 2, 2), EnvironmentError);
  EXPECT_THROW(device_of_process("0+1", 0, 2), UsageError);
}

}  // namespace
}  // namespace alsbench
