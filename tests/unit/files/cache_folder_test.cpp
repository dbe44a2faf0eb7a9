// SPDX-License-Identifier: Apache-2.0
#include "harness/files/cache_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <functional>

#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

void expect_own(const std::function<fs::path()>& named, const fs::path& folder) {
  EXPECT_EQ(named(), folder);
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  fs::permissions(folder, fs::perms::owner_all | fs::perms::others_write);
  EXPECT_EQ(named(), "");
  fs::permissions(folder, fs::perms::owner_all | fs::perms::group_write);
  EXPECT_EQ(named(), "");
  fs::permissions(folder, fs::perms::owner_all | fs::perms::others_read);
  EXPECT_EQ(named(), folder);
}

TEST(CacheFolder, IsMadeForItsUserAloneAndNotUsedWhereOthersMayWrite) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "deep" / "cache";
  ::setenv("ALSBENCH_CACHE_DIR", folder.c_str(), 1);
  expect_own(cache_folder, folder);
}

// A folder of another user, whose mode is that of a private one.
TEST(CacheFolder, IsNotUsedWhereItIsAnothersFolder) {
  constexpr uid_t kSomebody = 12345;
  const ScratchFolder scratch;
  const bool root = geteuid() == 0;
  const fs::path folder = root ? scratch.path() / "cache" : "/";
  if (root) {
    fs::create_directory(folder);
    fs::permissions(folder, fs::perms::owner_all);
    ASSERT_EQ(chown(folder.c_str(), kSomebody, static_cast<gid_t>(-1)), 0);
  }
  ::setenv("ALSBENCH_CACHE_DIR", folder.c_str(), 1);
  EXPECT_EQ(cache_folder(), "");
}

TEST(DataFolder, IsMadeForItsUserAloneAndNotUsedWhereOthersMayWrite) {
  const ScratchFolder scratch;
  ::setenv("XDG_DATA_HOME", scratch.path().c_str(), 1);
  EXPECT_EQ(data_folder(), scratch.path() / "alsbench");
  EXPECT_FALSE(fs::exists(scratch.path() / "alsbench")) << "whoever reads makes nothing";
  expect_own(made_data_folder, scratch.path() / "alsbench");
  fs::permissions(scratch.path() / "alsbench", fs::perms::owner_all);
  expect_own(data_folder, scratch.path() / "alsbench");
}

}  // namespace
}  // namespace alsbench
