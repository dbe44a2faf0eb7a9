// SPDX-License-Identifier: Apache-2.0
// How ties are shown.
#include "harness/tune/database/ties_text.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace alsbench {
namespace {

TEST(TiesText, SaysWhatDiffersFromThePick) {
  const std::string pick = "update:fused:stages=4,warps=4,order=rows";
  EXPECT_EQ(ties_text(pick, {pick}, ""), "");
  EXPECT_EQ(ties_text(pick, {pick, "update:fused:stages=3,warps=1,order=rows"}, "  "),
            "  tied with the same, but stages=3,warps=1\n");
  EXPECT_EQ(ties_text("fused:stages=4", {"fused:stages=3"}, ""),
            "tied with the same, but stages=3\n");
}

TEST(TiesText, CountsWhatIsMoreThanALookCanTake) {
  const std::string pick = "fused:stages=1";
  std::vector<std::string> ties{pick};
  for (int stages = 2; stages <= 6; ++stages)
    ties.push_back(fmt::format("fused:stages={}", stages));
  EXPECT_EQ(ties_text(pick, ties, ""),
            "tied with the same, but stages=2\ntied with the same, but stages=3\n"
            "tied with the same, but stages=4\ntied with 2 more, which --json names\n");
}

TEST(TiesText, NamesTheStageWhereThereAreSeveral) {
  EXPECT_EQ(
      ties_text("bias:rows/solve:cg:l1=on,steps=2", {"bias:rows/solve:cg:l1=off,steps=2"}, ""),
      "tied with the same, but solve:l1=off\n");
}

TEST(TiesText, GivesTheWholeTextOfOtherVariants) {
  const std::string pick = "update:fused:stages=4,warps=4";
  for (const std::string other : {"update:matrix_free:stages=4,warps=4", "update:fused",
                                  "update:fused:stages=4", "bias:rows/solve:cg:steps=2"})
    EXPECT_EQ(ties_text(pick, {other}, ""), "tied with " + other + "\n");
}

}  // namespace
}  // namespace alsbench
