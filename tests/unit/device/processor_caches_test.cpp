// SPDX-License-Identifier: Apache-2.0
#include "harness/device/processor_caches.h"

#include <gtest/gtest.h>

#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

constexpr int64_t kMiB = 1 << 20;

void add_cache(const ScratchFolder& root, int processor, int index, int level, const char* size,
               const char* shared_by) {
  const std::string folder =
      "cpu" + std::to_string(processor) + "/cache/index" + std::to_string(index) + "/";
  root.write(folder + "level", std::to_string(level) + "\n");
  root.write(folder + "size", std::string(size) + "\n");
  root.write(folder + "shared_cpu_list", std::string(shared_by) + "\n");
}

TEST(ProcessorCaches, CountsALastLevelCacheOnceThatProcessorsShare) {
  const ScratchFolder root;
  for (int processor = 0; processor < 4; ++processor) {
    add_cache(root, processor, 0, 1, "32K", std::to_string(processor).c_str());
    add_cache(root, processor, 3, 3, "32768K", processor < 2 ? "0-1" : "2-3");
  }
  EXPECT_EQ(last_level_cache_bytes({0, 1}, root.path()), 32 * kMiB);
  EXPECT_EQ(last_level_cache_bytes({0, 1, 2, 3}, root.path()), 64 * kMiB);
  EXPECT_EQ(last_level_cache_bytes({1, 3}, root.path()), 64 * kMiB);
}

TEST(ProcessorCaches, ReadsListsWithGaps) {
  const ScratchFolder root;
  for (int processor = 0; processor < 4; ++processor)
    add_cache(root, processor, 3, 3, "1024K", processor == 2 ? "2" : "0-1,3");
  EXPECT_EQ(last_level_cache_bytes({0, 1, 2, 3}, root.path()), 2 * kMiB);
  EXPECT_EQ(last_level_cache_bytes({3, 0}, root.path()), kMiB);
}

TEST(ProcessorCaches, TakesTheSecondLevelWhereThereIsNoThird) {
  const ScratchFolder root;
  add_cache(root, 0, 1, 2, "1M", "0");
  add_cache(root, 0, 0, 1, "64K", "0");
  EXPECT_EQ(last_level_cache_bytes({0}, root.path()), kMiB);
}

TEST(ProcessorCaches, KnowsNothingWhereLinuxSaysNothing) {
  EXPECT_EQ(last_level_cache_bytes({0, 1}, ScratchFolder().path()), 0);
}

TEST(ProcessorCaches, NamesTheProcessorsOfThisProcess) {
  EXPECT_FALSE(allowed_processors().empty());
}

}  // namespace
}  // namespace alsbench
