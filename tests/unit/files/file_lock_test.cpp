// SPDX-License-Identifier: Apache-2.0
#include "harness/files/file_lock.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "harness/files/atomic_file.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

TEST(FileLock, NeverFollowsALink) {
  const ScratchFolder scratch;
  const fs::path link = scratch.path() / "database.json.lock", target = scratch.path() / "others";
  fs::create_symlink(target, link);
  EXPECT_THROW(FileLock{link}, EnvironmentError);
  EXPECT_FALSE(fs::exists(target)) << "made nothing where the link leads";
  write_file_atomically(target, "kept");
  EXPECT_THROW(FileLock{link}, EnvironmentError);
  EXPECT_EQ(read_whole_file(target), "kept");
}

TEST(FileLock, IsHeldByOneProcessAtATime) {
  constexpr int kWriters = 8, kEach = 20;
  const ScratchFolder scratch;
  const fs::path path = scratch.write("count", "0");
  for (int writer = 0; writer < kWriters; ++writer) {
    if (fork() != 0) continue;
    for (int i = 0; i < kEach; ++i) {
      const FileLock lock(path.string() + ".lock");
      write_file_atomically(path, std::to_string(std::stoi(read_whole_file(path)) + 1), Sync::no);
    }
    _exit(0);
  }
  int status = 0;
  while (wait(&status) > 0) EXPECT_EQ(status, 0);
  EXPECT_EQ(read_whole_file(path), std::to_string(kWriters * kEach));
}

TEST(FolderLock, RefusesASecondHolderAndLeavesNothing) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "model", other = scratch.path() / "other";
  for (const fs::path& made : {folder, other}) fs::create_directory(made);
  {
    const FolderLock lock(folder);
    EXPECT_THROW(FolderLock{folder}, UsageError);
    EXPECT_NO_THROW(FolderLock{other});
  }
  EXPECT_NO_THROW(FolderLock{folder});
  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_THROW(FolderLock{scratch.path() / "missing"}, EnvironmentError);
}

TEST(FolderLock, IsOfTheFolderThatHasTheName) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "model";
  fs::create_directory(folder);
  const FolderLock lock(folder);
  fs::rename(folder, scratch.path() / "old");
  fs::create_directory(folder);
  EXPECT_NO_THROW(FolderLock{folder}) << "the holder has exchanged it";
}

TEST(FolderLock, IsOnEachFolderThatTakesTheName) {
  const ScratchFolder scratch;
  const fs::path folder = scratch.path() / "checkpoint", fresh = scratch.path() / "fresh";
  fs::create_directory(folder);
  FolderLock lock(folder);
  for (int turn = 0; turn < 3; ++turn) {
    fs::create_directory(fresh);
    lock.extend_to(fresh);
    EXPECT_THROW(FolderLock{folder}, UsageError) << "before the exchange";
    fs::remove(folder);
    fs::rename(fresh, folder);
    EXPECT_THROW(FolderLock{folder}, UsageError) << "after it";
  }
  fs::create_directory(fresh);
  lock.extend_to(fresh);
  fs::remove(fresh);
  EXPECT_THROW(FolderLock{folder}, UsageError) << "there was no exchange";
}

}  // namespace
}  // namespace alsbench
