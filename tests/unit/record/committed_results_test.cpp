// SPDX-License-Identifier: Apache-2.0
// The committed results: reading and writing one loses nothing.
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/files/strict_json.h"
#include "harness/record/result.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// The first place where two documents differ; "" where there is none.
std::string difference(const Json& before, const Json& after) {
  const Json patch = Json::diff(before, after);
  return patch.empty() ? "" : patch.front().dump();
}

TEST(CommittedResults, AreWrittenAgainAsTheyWereRead) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(ALSBENCH_SOURCE_DIR "/results")) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".json") && !name.ends_with(".json.gz")) continue;
    const Json before = read_json(entry.path());
    if (text_at(before, "kind") != "run") continue;
    ++files;
    const Json after = to_json(result_from_json(before, entry.path().string()));
    EXPECT_EQ(difference(before, after), "") << entry.path();
  }
  EXPECT_GT(files, 30);
}

}  // namespace
}  // namespace alsbench
