// SPDX-License-Identifier: Apache-2.0
// Results that were written by every version of the program since 1.0: reading and writing one
// loses nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "harness/files/strict_json.h"
#include "harness/record/comparison_record.h"
#include "harness/record/result.h"
#include "variants/core/error.h"

namespace alsbench {
namespace {

namespace fs = std::filesystem;

// What other versions wrote under other names, or counted otherwise.
bool is_of_another_version(std::string_view key) {
  return key == "share_of_roof" || key == "schema_version" || key == "$schema";
}

// The first member of `before` that `after` lacks or changed; "" where there is none.
std::string lost(const Json& before, const Json& after, const std::string& place) {
  if (before.is_object() && after.is_object()) {
    for (const auto& [key, value] : before.items()) {
      if (is_of_another_version(key)) continue;
      const std::string member = fmt::format("{}/{}", place, key);
      const auto found = after.find(key);
      if (found == after.end()) return member + " is lost";
      if (std::string problem = lost(value, *found, member); !problem.empty()) return problem;
    }
    return "";
  }
  if (before.is_array() && after.is_array() && before.size() == after.size()) {
    for (size_t i = 0; i < before.size(); ++i)
      if (std::string problem = lost(before[i], after[i], fmt::format("{}/{}", place, i));
          !problem.empty())
        return problem;
    return "";
  }
  if (before.is_number() && after.is_number())
    return before.get<double>() == after.get<double>() ? "" : place + " changed";
  return before == after ? "" : fmt::format("{}: {} became {}", place, before.dump(), after.dump());
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
    EXPECT_EQ(lost(before, to_json(read(before, entry.path().string())), ""), "") << entry.path();
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
  try {
    comparison_from_json(old, "old.json");
    FAIL();
  } catch (const UsageError& error) {
    const std::string message = error.what();
    for (const char* part : {"old.json", "1.7.0", "scripts/convert_results.py"})
      EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace alsbench
