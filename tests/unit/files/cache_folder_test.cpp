// SPDX-License-Identifier: Apache-2.0
#include "harness/files/cache_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

TEST(CacheFolder, IsMadeForItsUserAloneAndNotUsedWhereOthersMayWrite) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "deep" / "cache";
  ::setenv("ALSBENCH_CACHE_DIR", folder.c_str(), 1);
  EXPECT_EQ(cache_folder(), folder);
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::owner_all);
  fs::permissions(folder, fs::perms::owner_all | fs::perms::others_write);
  EXPECT_EQ(cache_folder(), "");
  fs::permissions(folder, fs::perms::owner_all | fs::perms::group_write);
  EXPECT_EQ(cache_folder(), "");
  fs::permissions(folder, fs::perms::owner_all | fs::perms::others_read);
  EXPECT_EQ(cache_folder(), folder);
}

}  // namespace
}  // namespace alsbench
