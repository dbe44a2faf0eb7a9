// SPDX-License-Identifier: Apache-2.0
#include "harness/device/gpu_contention.h"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/unit/device/fake_nvml/fake_nvml.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

using std::chrono::milliseconds;

constexpr unsigned kOther = 4194305, kThird = 4194306;  // beyond the ids that Linux gives
const GpuContention::Time kOpened{std::chrono::seconds(1'700'000'000)};

unsigned long long microseconds(GpuContention::Time time) {
  return static_cast<unsigned long long>(
      std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count());
}

class DeviceNeighboursTest : public testing::Test {
 protected:
  DeviceNeighboursTest()
      : handle_(dlopen(ALSBENCH_FAKE_NVML, RTLD_NOW | RTLD_LOCAL)),
        fake_(handle_ == nullptr ? nullptr : static_cast<FakeNvml*>(dlsym(handle_, "fake_nvml"))) {}
  ~DeviceNeighboursTest() override {
    if (handle_ != nullptr) dlclose(handle_);
  }
  void SetUp() override {
    ASSERT_NE(fake_, nullptr) << dlerror();
    *fake_ = {};
  }
  void context_of(unsigned id) { fake_->processes.at(fake_->process_count++) = id; }
  void use(unsigned id, GpuContention::Time time, unsigned percent) {
    fake_->uses.at(fake_->use_count++) = {id, microseconds(time), percent};
  }

  void* handle_;
  FakeNvml* fake_;
};

TEST_F(DeviceNeighboursTest, KernelsOfOtherProcessesAreSeenAndTheirOwnersNamed) {
  const NvmlDevice nvml("0000:18:00.0");
  GpuContention neighbours(nvml);
  const auto own = static_cast<unsigned>(getpid());
  const auto parent = static_cast<unsigned>(getppid());
  context_of(own);
  context_of(parent);
  neighbours.opened(kOpened);
  const auto now = kOpened + milliseconds(5000);
  use(own, now - milliseconds(100), 99);
  use(kOther, now - milliseconds(200), 10);
  use(kOther, now - milliseconds(400), 30);
  use(parent, now - milliseconds(300), 70);
  use(kThird, now - milliseconds(300), 0);  // a context without kernels
  use(kThird, now - milliseconds(1500), 90);
  const std::vector<DeviceUse>& busy = neighbours.busy(now);
  ASSERT_EQ(busy.size(), 2u);
  EXPECT_EQ(busy[0].id, parent);
  EXPECT_DOUBLE_EQ(busy[0].busy, 0.7);
  EXPECT_EQ(busy[0].name, process_name(parent));
  EXPECT_FALSE(busy[0].name.empty());
  EXPECT_EQ(busy[1].id, kOther);
  EXPECT_DOUBLE_EQ(busy[1].busy, 0.2);
  EXPECT_EQ(neighbours.unknown(), "");
}

TEST_F(DeviceNeighboursTest, AContainersOwnProcessIsTheOneThatCameWithTheContext) {
  context_of(kOther);
  const NvmlDevice nvml("0000:18:00.0");
  GpuContention neighbours(nvml);
  context_of(kThird);
  neighbours.opened(kOpened);
  const auto now = kOpened + milliseconds(5000);
  use(kThird, now - milliseconds(100), 95);
  use(kOther, now - milliseconds(100), 50);
  const std::vector<DeviceUse>& busy = neighbours.busy(now);
  ASSERT_EQ(busy.size(), 1u);
  EXPECT_EQ(busy[0].id, kOther);
  EXPECT_EQ(busy[0].name, "") << "its id means another process here";
}

TEST_F(DeviceNeighboursTest, KernelsOfBeforeTheContextDoNotCount) {
  const NvmlDevice nvml("0000:18:00.0");
  GpuContention neighbours(nvml);
  context_of(static_cast<unsigned>(getpid()));
  neighbours.opened(kOpened);
  use(kOther, kOpened + milliseconds(100), 95);  // a process that has just ended
  EXPECT_TRUE(neighbours.busy(kOpened + milliseconds(500)).empty());
}

TEST_F(DeviceNeighboursTest, AsksTenTimesASecondAtMost) {
  const NvmlDevice nvml("0000:18:00.0");
  GpuContention neighbours(nvml);
  context_of(static_cast<unsigned>(getpid()));
  neighbours.opened(kOpened);
  const auto now = kOpened + milliseconds(5000);
  EXPECT_TRUE(neighbours.busy(now).empty());
  use(kOther, now, 95);
  EXPECT_TRUE(neighbours.busy(now + milliseconds(50)).empty());
  EXPECT_EQ(neighbours.busy(now + milliseconds(150)).size(), 1u);
}

TEST_F(DeviceNeighboursTest, SaysWhyThereIsNoTelling) {
  const NvmlDevice nvml("0000:18:00.0");
  GpuContention hidden(nvml);
  hidden.opened(kOpened);
  EXPECT_TRUE(contains(hidden.unknown(), "does not list this process"));
  use(kOther, kOpened + milliseconds(4900), 95);
  EXPECT_TRUE(hidden.busy(kOpened + milliseconds(5000)).empty()) << "it may be this process";

  context_of(static_cast<unsigned>(getpid()));
  GpuContention partitioned(nvml);
  partitioned.opened(kOpened);
  fake_->use_status = 3;
  EXPECT_TRUE(partitioned.busy(kOpened + milliseconds(5000)).empty());
  EXPECT_EQ(partitioned.unknown(), reason_of(NvmlAnswer::not_supported));

  fake_->processes_status = 4;
  GpuContention forbidden(nvml);
  forbidden.opened(kOpened);
  EXPECT_EQ(forbidden.unknown(), reason_of(NvmlAnswer::no_permission));
}

TEST_F(DeviceNeighboursTest, NoSampleMeansThatNobodyWasBusy) {
  const NvmlDevice nvml("0000:18:00.0");
  fake_->use_status = 6;
  const NvmlUse use = nvml.use_since(kOpened);
  EXPECT_EQ(use.answer, NvmlAnswer::ok);
  EXPECT_TRUE(use.processes.empty());
}

TEST(DeviceNeighboursWithoutNvml, IsAReason) {
  const NvmlDevice nvml("ffff:ff:1f.0");
  EXPECT_EQ(nvml.use_since(kOpened).answer, NvmlAnswer::no_library);
  GpuContention neighbours(nvml);
  neighbours.opened();
  EXPECT_EQ(neighbours.unknown(), reason_of(NvmlAnswer::no_library));
  EXPECT_TRUE(neighbours.busy().empty());
}

}  // namespace
}  // namespace alsbench
