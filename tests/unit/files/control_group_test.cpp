// SPDX-License-Identifier: Apache-2.0
#include "harness/files/control_group.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

constexpr int64_t kUnlimited = std::numeric_limits<int64_t>::max();

class ControlGroup : public testing::Test {
 protected:
  GroupMemory memory() const { return group_memory(groups_.path(), groups_.path() / "process"); }

  const ScratchFolder groups_;
};

TEST_F(ControlGroup, TheTightestOfAllAroundAProcessCounts) {
  groups_.write("process", "0::/user.slice/job.scope\n");
  groups_.write("user.slice/job.scope/memory.max", "max\n");
  groups_.write("user.slice/memory.max", "1000\n");
  groups_.write("user.slice/memory.current", "700\n");
  groups_.write("user.slice/memory.stat", "anon 300\ninactive_file 250\nactive_file 150\n");
  EXPECT_EQ(memory().limit, 1000);
  EXPECT_EQ(memory().free, 700) << "files in memory are given up";
  groups_.write("user.slice/job.scope/memory.max", "400\n");
  groups_.write("user.slice/job.scope/memory.current", "500\n");
  EXPECT_EQ(memory().limit, 400);
  EXPECT_EQ(memory().free, 0);
}

TEST_F(ControlGroup, TheFirstVersionHasOtherNames) {
  groups_.write("process", "4:memory:/batch/7\n5:cpu:/elsewhere\n0::/\n");
  groups_.write("memory/batch/7/memory.limit_in_bytes", "1000\n");
  groups_.write("memory/batch/7/memory.usage_in_bytes", "600\n");
  groups_.write("memory/batch/7/memory.stat", "active_file 1\ntotal_active_file 100\n");
  groups_.write("cpu/elsewhere/memory.limit_in_bytes", "1\n");
  EXPECT_EQ(memory().limit, 1000);
  EXPECT_EQ(memory().free, 500);
}

TEST_F(ControlGroup, AContainerMayNotSeeTheFolderOfItsGroup) {
  groups_.write("process", "0::/docker/0123\n");
  groups_.write("memory.max", "5000\n");
  groups_.write("memory.current", "2000\n");
  EXPECT_EQ(memory().free, 3000);
}

TEST_F(ControlGroup, WithoutLimitsThereIsNone) {
  EXPECT_EQ(memory().limit, kUnlimited) << "no such file";
  groups_.write("process", "0::/\nnonsense\n");
  EXPECT_EQ(memory().free, kUnlimited);
}

}  // namespace
}  // namespace alsbench
