// SPDX-License-Identifier: Apache-2.0
// Names that --filter finds.
#include "harness/files/name_pattern.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

bool finds(const std::string& pattern, const std::string& name) {
  return NamePattern("--filter", pattern).found_in(name);
}

TEST(NamePattern, IsSearchedAnywhereUnlessAnchored) {
  EXPECT_TRUE(finds("fused", "update/fused/cuda"));
  EXPECT_FALSE(finds("^fused", "update/fused/cuda"));
  EXPECT_TRUE(finds("^update", "update/fused/cuda"));
  EXPECT_TRUE(finds("^(fused|update)", "update/fused/cuda"));
  EXPECT_TRUE(finds("cuda$", "update/fused/cuda"));
  EXPECT_TRUE(finds("", "update/fused/cuda"));
}

// The anchor is that of one alternative alone.
TEST(NamePattern, AnAlternativeWithoutAnAnchorIsSearchedAnywhere) {
  EXPECT_TRUE(finds("^solve|fused", "update/fused/cuda"));
  EXPECT_TRUE(finds("^(solve|bias)|fused", "update/fused/cuda"));
  EXPECT_TRUE(finds("^[(]|fused", "update/fused/cuda"));
  EXPECT_TRUE(finds("^\\(|fused", "update/fused/cuda"));
  EXPECT_TRUE(finds("^[[:digit:](]|fused", "update/fused/cuda"));
}

TEST(NamePattern, ABarThatIsNoAlternativeLeavesTheAnchor) {
  EXPECT_FALSE(finds("^[a|b]", "update|fused"));
  EXPECT_FALSE(finds("^\\|fused", "update|fused"));
}

TEST(NamePattern, NamesTheOptionOfWhatIsNoExpression) {
  EXPECT_TRUE(contains(thrown_by([&] { NamePattern("--filter", "("); }), "--filter '('"));
  EXPECT_THROW(NamePattern("--filter", std::string(2000, 'a')), UsageError);
  std::string nested;
  for (int depth = 0; depth < 2000; ++depth) nested += "(a|";
  EXPECT_THROW(NamePattern("--filter", nested + "a" + std::string(2000, ')')), UsageError);
  EXPECT_THROW(NamePattern("--filter", std::string(200'000, '|')), UsageError);
}

// The pattern of `ab` for a build in its confirmation.
TEST(NamePattern, MayListHundredsOfNames) {
  std::string list = "^(";
  for (int i = 0; i < 400; ++i)
    list += (i == 0 ? "" : "|") + std::string(120, 'x') + std::to_string(i);
  const NamePattern pattern("--filter", list + ")$");
  EXPECT_TRUE(pattern.found_in(std::string(120, 'x') + "399"));
  EXPECT_FALSE(pattern.found_in(std::string(120, 'x') + "400"));
}

}  // namespace
}  // namespace alsbench
