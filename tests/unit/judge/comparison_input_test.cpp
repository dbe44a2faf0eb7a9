// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/comparison_input.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "tests/unit/scratch_folder.h"

namespace alsbench {
namespace {

const std::filesystem::path kOldResult =
    ALSBENCH_SOURCE_DIR "/tests/golden/fixtures/result-2.0.0.json";

std::string why_refused(const std::filesystem::path& path) {
  try {
    read_comparison_input({path});
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
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
  EXPECT_NE(why_refused(folder.path() / "none.json").find("no such file"), std::string::npos);
  EXPECT_NE(why_refused(folder.write("empty.json", "")).find("empty.json: is empty"),
            std::string::npos);
  EXPECT_NE(
      why_refused(folder.write("torn.json", whole.substr(0, whole.size() / 2))).find("cut off"),
      std::string::npos);
  EXPECT_NE(why_refused(folder.write("other.json", "[1]")).find("is no document of kind 'run'"),
            std::string::npos);
  EXPECT_NE(
      why_refused(
          folder.write(
              "hollow.json",
              R"({"schema_version":"2.0.0","kind":"run","cases":[{"name":"k","outcome":"ok"}]})"))
          .find("is damaged"),
      std::string::npos);
  EXPECT_NE(why_refused(
                folder.write("newer.json", R"({"schema_version":"3.0.0","kind":"run","cases":[]})"))
                .find("newer alsbench"),
            std::string::npos);
  std::filesystem::create_directories(folder.path() / "nothing");
  EXPECT_NE(why_refused(folder.path() / "nothing").find("without a .json"), std::string::npos);
}

}  // namespace
}  // namespace alsbench
