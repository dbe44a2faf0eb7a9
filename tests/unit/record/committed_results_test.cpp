// SPDX-License-Identifier: Apache-2.0
// The committed results: reading and writing one loses nothing.
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/files/strict_json.h"
#include "harness/record/comparison_record.h"
#include "harness/record/result.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// The first place where two documents differ; "" where there is none.
std::string difference(const Json& before, const Json& after) {
  const Json patch = Json::diff(before, after);
  return patch.empty() ? "" : patch.front().dump();
}

template <class Read>
void expect_written_as_read(const std::string& kind, int fewest, const Read& read) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(ALSBENCH_SOURCE_DIR "/results")) {
    const std::string name = entry.path().filename();
    if (!name.ends_with(".json") && !name.ends_with(".json.gz")) continue;
    const Json before = read_json(entry.path());
    if (text_at(before, "kind") != kind) continue;
    ++files;
    EXPECT_EQ(difference(before, to_json(read(before, entry.path().string()))), "") << entry.path();
  }
  EXPECT_GE(files, fewest);
}

TEST(CommittedResults, AreWrittenAgainAsTheyWereRead) {
  expect_written_as_read("run", 30, result_from_json);
}

TEST(CommittedResults, OfComparisonsToo) {
  expect_written_as_read("comparison", 40, comparison_from_json);
}

TEST(CommittedResults, OfAnOlderSchemaAreRefusedWithTheConverter) {
  const Json old{{"schema_version", "1.7.0"}, {"kind", "comparison"}};
  const std::string message = thrown_by([&] { comparison_from_json(old, "old.json"); });
  for (const char* part : {"old.json", "1.7.0", "scripts/convert_results.py"})
    EXPECT_TRUE(contains(message, part));
}

}  // namespace
}  // namespace alsbench
