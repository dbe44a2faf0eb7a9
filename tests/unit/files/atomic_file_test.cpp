// SPDX-License-Identifier: Apache-2.0
#include "harness/files/atomic_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <future>
#include <iterator>
#include <random>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "harness/files/file_descriptor.h"
#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

class AtomicFile : public testing::Test {
 protected:
  int64_t entries() const { return std::distance(fs::directory_iterator(folder_), {}); }

  const ScratchFolder scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(AtomicFile, WritesAndReplacesInFoldersItMakes) {
  const fs::path path = folder_ / "a" / "b.json";
  write_file_atomically(path, "first, and longer");
  write_file_atomically(path, std::string_view("se\0cond", 7), Sync::no);
  EXPECT_EQ(read_whole_file(path), std::string("se\0cond", 7));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_ / "a"), {}), 1);
}

TEST_F(AtomicFile, ALinkStaysAndItsTargetIsReplaced) {
  write_file_atomically(folder_ / "target", "old");
  fs::create_symlink("target", folder_ / "link");
  write_file_atomically(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read_whole_file(folder_ / "target"), "new");
  EXPECT_EQ(entries(), 2);
}

TEST_F(AtomicFile, ALinkToNothingStaysAndItsTargetIsMade) {
  fs::create_symlink("target", folder_ / "link");
  fs::create_symlink("link", folder_ / "link of a link");
  for (const char* content : {"first", "second"}) {
    write_file_atomically(folder_ / "link of a link", content);
    EXPECT_TRUE(fs::is_symlink(folder_ / "link of a link"));
    EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
    EXPECT_EQ(read_whole_file(folder_ / "target"), content);
    EXPECT_EQ(entries(), 3);
  }
}

TEST_F(AtomicFile, WhatIsPrivateStaysPrivate) {
  const fs::path path = folder_ / "private";
  write_file_atomically(path, "old");
  chmod(path.c_str(), 0600);
  const fs::perms own = fs::perms::owner_read | fs::perms::owner_write;
  replace_file(path, [&](const fs::path& temporary) {
    std::ofstream(temporary) << "new";
    EXPECT_EQ(fs::status(temporary).permissions(), own) << "while it is written, too";
  });
  EXPECT_EQ(read_whole_file(path), "new");
  EXPECT_EQ(fs::status(path).permissions(), own);
}

class FilesTogether : public AtomicFile {
 protected:
  // Makes a, b and c new, b with what `content` gives.
  void make_new(const FileContent& content) const {
    const auto text = [](const WriteText& write) { write("new"); };
    replace_together({{folder_ / "a", text}, {folder_ / "b", content}, {folder_ / "c", text}});
  }
};

TEST_F(FilesTogether, AreAllReplacedOrNone) {
  for (const char* name : {"a", "b", "c"}) write_file_atomically(folder_ / name, "old");
  EXPECT_THROW(make_new([](const WriteText& write) {
                 write("half");
                 throw std::runtime_error("no");
               }),
               EnvironmentError);
  EXPECT_EQ(entries(), 3);
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(read_whole_file(folder_ / name), "old");
  make_new([](const WriteText& write) { write("new"); });
  EXPECT_EQ(entries(), 3);
  for (const char* name : {"a", "b", "c"}) EXPECT_EQ(read_whole_file(folder_ / name), "new");
}

TEST_F(FilesTogether, TheLastIsMissingWhileTheyAreNotWhole) {
  write_file_atomically(folder_ / "c", "old");
  fs::create_directory(folder_ / "b");  // cannot be replaced by a file
  EXPECT_THROW(make_new([](const WriteText& write) { write("new"); }), EnvironmentError);
  EXPECT_EQ(read_whole_file(folder_ / "a"), "new");
  EXPECT_FALSE(fs::exists(folder_ / "c"));
  EXPECT_EQ(entries(), 2);
}

TEST_F(FilesTogether, OfAFolderOfTheirOwnAreOfOneWriteWheneverItIsKilled) {
  constexpr int kKills = 40;
  const fs::path model = folder_ / "model";
  fs::create_directory(model);
  const auto write = [&](int64_t version) {
    const auto text = [version](const WriteText& put) { put(std::to_string(version)); };
    replace_together({{model / "a", text}, {model / "b", text}, {model / "c", text}});
  };
  const auto began = std::chrono::steady_clock::now();
  write(0);
  const std::chrono::microseconds one_write =
      std::chrono::ceil<std::chrono::microseconds>(std::chrono::steady_clock::now() - began);
  const useconds_t longest = std::max<useconds_t>(20000, 4 * one_write.count());  // disks differ
  std::minstd_rand instants(20261123);
  int64_t written = 0;
  for (int i = 0; i < kKills; ++i) {
    const pid_t writer = fork();
    if (writer == 0)
      for (int64_t version = written + 1;; ++version) write(version);
    usleep(500 + instants() % longest);
    kill(writer, SIGKILL);
    waitpid(writer, nullptr, 0);
    const std::string version = read_whole_file(model / "a");
    EXPECT_EQ(read_whole_file(model / "b"), version);
    EXPECT_EQ(read_whole_file(model / "c"), version);
    written = std::stoll(version);
  }
  EXPECT_GT(written, 0) << "every writer was killed before it wrote";
  write(written + 1);
  EXPECT_EQ(entries(), 1) << "what killed writers left is removed";
}

TEST_F(FilesTogether, BesideOthersLeaveThose) {
  write_file_atomically(folder_ / "ratings.tsv", "mine");
  make_new([](const WriteText& write) { write("new"); });
  EXPECT_EQ(read_whole_file(folder_ / "ratings.tsv"), "mine");
  EXPECT_EQ(entries(), 4);
}

TEST_F(AtomicFile, APipeIsWrittenThrough) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  auto reader = std::async(std::launch::async, [&] {  // waits for the writer
    std::ifstream stream(pipe);
    return std::string{std::istreambuf_iterator<char>(stream), {}};
  });
  write_file_atomically(pipe, "text");
  EXPECT_EQ(reader.get(), "text");
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, FailureLeavesTheOldContentAndNothingElse) {
  write_file_atomically(folder_ / "kept.txt", "old");
  const FileContent broken = [](const WriteText& write) {
    write("half of the new");
    throw std::runtime_error("the source ended");
  };
  EXPECT_TRUE(
      contains(thrown_by<EnvironmentError>([&] { replace_content(folder_ / "kept.txt", broken); }),
               "kept.txt': the source ended; choose"));
  EXPECT_EQ(read_whole_file(folder_ / "kept.txt"), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, RemovesWhatAKilledWriterLeft) {
  const fs::path path = folder_ / "kept.json";
  write_file_atomically(path, "first");
  const pid_t writer = fork();
  if (writer == 0) {
    replace_content(path, [](const WriteText& write) {
      write("half");
      kill(getpid(), SIGKILL);
    });
  }
  waitpid(writer, nullptr, 0);
  EXPECT_EQ(entries(), 2) << "the file and what the writer left";
  write_file_atomically(folder_ / "quick.json", "of a cache", Sync::no);
  EXPECT_EQ(entries(), 3) << "caches are not searched";
  write_file_atomically(folder_ / "other.json", "of another file");
  EXPECT_EQ(entries(), 3) << "both other files and the first";
  for (const char* name : {"a.tmp", "a.1.tmp", "a.host.999999999.1.tmp", "a.1.1.tmpp", ".tmp"})
    write_file_atomically(folder_ / name, "of somebody else");
  EXPECT_EQ(entries(), 8);
  replace_content(path, [&](const WriteText& write) {
    write_file_atomically(path, "another write meanwhile");  // spares what is being written
    write("second");
  });
  EXPECT_EQ(read_whole_file(path), "second");
  EXPECT_EQ(entries(), 8);
}

TEST_F(AtomicFile, PlacesThatCannotBeWrittenAreErrorsWithTheSystemsReason) {
  EXPECT_TRUE(contains(
      thrown_by<EnvironmentError>([&] { write_file_atomically("/proc/nowhere/result.json", "x"); }),
      "No such file"));
  fs::create_directories(folder_ / "taken.json" / "in_the_way");
  EXPECT_THROW(write_file_atomically(folder_ / "taken.json", "x"), EnvironmentError);
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, AFullDiskIsAnErrorAndLeavesNothing) {
  // /dev/full refuses every write; the link stands for the temporary file's disk.
  write_file_atomically(folder_ / "kept.txt", "old");
  EXPECT_THROW(replace_file(folder_ / "kept.txt",
                            [](const fs::path& temporary) {
                              fs::remove(temporary);
                              fs::create_symlink("/dev/full", temporary);
                              std::ofstream stream(temporary);
                              stream.exceptions(std::ios::failbit | std::ios::badbit);
                              stream << "x" << std::flush;
                            }),
               EnvironmentError);
  EXPECT_EQ(read_whole_file(folder_ / "kept.txt"), "old");
  EXPECT_EQ(entries(), 1);
}

TEST_F(AtomicFile, APipeIsReadToItsEndAndWithoutAWriterNotWaitedFor) {
  constexpr size_t kBytes = 1 << 20;  // more than a pipe holds
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  auto writer = std::async(std::launch::async, [&] {
    write_all(ends[1], std::string(kBytes, 'x'), "the pipe");
    close(ends[1]);
  });
  EXPECT_EQ(read_whole_file("/dev/fd/" + std::to_string(ends[0])).size(), kBytes);
  close(ends[0]);
  const auto silent = folder_ / "pipe";
  ASSERT_EQ(mkfifo(silent.c_str(), S_IRWXU), 0);
  EXPECT_THROW(read_whole_file(silent), UsageError);
}

TEST_F(AtomicFile, WhatCannotBeReadToItsEndIsAnError) {
  EXPECT_THROW(read_whole_file("/proc/self/mem"), UsageError);
}

TEST_F(AtomicFile, ReadingWhatIsNotThereIsTheUsersError) {
  EXPECT_THROW(read_whole_file(folder_ / "absent"), UsageError);
  EXPECT_THROW(read_whole_file("/proc"), UsageError);
}

}  // namespace
}  // namespace alsbench
