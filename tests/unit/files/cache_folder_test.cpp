// SPDX-License-Identifier: Apache-2.0
#include "harness/files/cache_folder.h"

#include <gtest/gtest.h>

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
