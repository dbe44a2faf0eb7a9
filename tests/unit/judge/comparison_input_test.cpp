// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/comparison_input.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/unit/scratch_folder.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

const std::filesystem::path kOldResult =
    ALSBENCH_SOURCE_DIR "/tests/golden/fixtures/result-2.0.0.json";

std::string why_refused(const std::filesystem::path& path) {
  return thrown_by([&] { read_comparison_input({path}); });
}

const ComparisonCase* find(const ComparisonInput& input, CaseRole role) {
  for (const ComparisonCase& c : input.cases)
    if (c.role == role && c.outcome == Outcome::ok) return &c;
  return nullptr;
}

TEST(ReadResult, OfTheFirstVersionIsOneLaunch) {
  const ComparisonInput input = read_comparison_input({kOldResult});
  for (const CaseRole role : {CaseRole::kernel, CaseRole::control, CaseRole::training}) {
    const ComparisonCase* c = find(input, role);
    ASSERT_NE(c, nullptr) << name_of(role);
    ASSERT_EQ(c->launches.size(), 1u);
    EXPECT_GT(c->launches[0].seconds, 0);
  }
  const ComparisonCase* kernel = find(input, CaseRole::kernel);
  EXPECT_TRUE(kernel->name.ends_with("/cold") || kernel->name.ends_with("/hot"));
  EXPECT_EQ(find(input, CaseRole::training)->metrics.size(), 1u);
}

TEST(ReadResult, EachFileOfAFolderAddsALaunch) {
  const ScratchFolder folder;
  std::filesystem::copy_file(kOldResult, folder.path() / "1.json");
  std::filesystem::copy_file(kOldResult, folder.path() / "2.json");
  folder.write("2.gbench.json", "{}");
  const ComparisonInput input = read_comparison_input({folder.path()});
  EXPECT_EQ(find(input, CaseRole::kernel)->launches.size(), 2u);
}

TEST(ReadResult, NamesWhatIsWrongWithAFile) {
  const ScratchFolder folder;
  const std::string whole = [] {
    std::ifstream file(kOldResult);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  EXPECT_TRUE(contains(why_refused(folder.path() / "none.json"), "no such file"));
  EXPECT_TRUE(contains(why_refused(folder.write("empty.json", "")), "empty.json: is empty"));
  EXPECT_TRUE(contains(why_refused(folder.write("torn.json", whole.substr(0, whole.size() / 2))),
                       "cut off"));
  EXPECT_TRUE(
      contains(why_refused(folder.write("other.json", "[1]")), "is no document of kind 'run'"));
  EXPECT_TRUE(contains(
      why_refused(folder.write(
          "hollow.json",
          R"({"schema_version":"2.0.0","kind":"run","cases":[{"name":"k","outcome":"ok"}]})")),
      "is damaged"));
  EXPECT_TRUE(contains(why_refused(folder.write(
                           "newer.json", R"({"schema_version":"3.0.0","kind":"run","cases":[]})")),
                       "newer alsbench"));
  std::filesystem::create_directories(folder.path() / "nothing");
  EXPECT_TRUE(contains(why_refused(folder.path() / "nothing"), "without a .json"));
}

}  // namespace
}  // namespace alsbench
