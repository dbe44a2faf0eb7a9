// SPDX-License-Identifier: Apache-2.0
#include "harness/files/file_descriptor.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>

namespace alsbench {
namespace {

// A pipe has no disk, so the system refuses to wait for it.
TEST(FileDescriptor, WaitsForTheDiskUnlessTheEnvironmentSaysOff) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const FileDescriptor reader(ends[0]), writer(ends[1]);
  setenv("ALSBENCH_FSYNC", "off", 1);
  EXPECT_TRUE(sync_to_disk(writer.get()));
  setenv("ALSBENCH_FSYNC", "on", 1);
  EXPECT_FALSE(sync_to_disk(writer.get()));
  unsetenv("ALSBENCH_FSYNC");
  EXPECT_FALSE(sync_to_disk(writer.get()));
}

}  // namespace
}  // namespace alsbench
