// SPDX-License-Identifier: Apache-2.0
// How ties are shown.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/tune/database/tuned_entry.h"

namespace alsbench {
namespace {

using Steps = std::vector<StepRecord>;

StepRecord fused(const std::string& stages, const std::string& warps = "4") {
  return {"update", "fused", Config({{"stages", stages}, {"warps", warps}, {"order", "rows"}})};
}

TEST(TiesText, SaysWhatDiffersFromThePick) {
  const Steps pick{fused("4")};
  EXPECT_EQ(ties_text(pick, {pick}, ""), "");
  EXPECT_EQ(ties_text(pick, {pick, {fused("3", "1")}}, "  "),
            "  tied with the same, but stages=3,warps=1\n");
}

TEST(TiesText, CountsWhatIsMoreThanALookCanTake) {
  const Steps pick{fused("1")};
  std::vector<Steps> ties{pick};
  for (int stages = 2; stages <= 6; ++stages) ties.push_back({fused(std::to_string(stages))});
  EXPECT_EQ(ties_text(pick, ties, ""),
            "tied with the same, but stages=2\ntied with the same, but stages=3\n"
            "tied with the same, but stages=4\ntied with 2 more, which --json names\n");
}

TEST(TiesText, NamesTheStageWhereThereAreSeveral) {
  const auto steps = [](const std::string& l1) {
    return Steps{{"bias", "rows", {}}, {"solve", "cg", Config({{"l1", l1}, {"steps", "2"}})}};
  };
  EXPECT_EQ(ties_text(steps("on"), {steps("off")}, ""), "tied with the same, but solve:l1=off\n");
}

TEST(TiesText, GivesTheWholeTextOfOtherVariants) {
  const Steps pick{fused("4")};
  StepRecord other = fused("4");
  other.variant = "matrix_free";
  EXPECT_EQ(ties_text(pick, {{other}}, ""),
            "tied with update:matrix_free:stages=4,warps=4,order=rows\n");
  other = fused("4");
  other.config = Config().with("stages", "4");
  EXPECT_EQ(ties_text(pick, {{other}}, ""), "tied with update:fused:stages=4\n");
  EXPECT_EQ(ties_text(pick, {{fused("4"), {"bias", "rows", {}}}}, ""),
            "tied with update:fused:stages=4,warps=4,order=rows/bias:rows\n");
}

}  // namespace
}  // namespace alsbench
