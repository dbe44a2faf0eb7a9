// SPDX-License-Identifier: Apache-2.0
#include "variants/core/expression.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

const Config kNames({{"N", "1000"}, {"tile", "16"}, {"l1", "on"}});

TEST(Expression, IsANumberOfItsNames) {
  const auto value = [](const char* text) { return Expression(text).value(kNames); };
  EXPECT_EQ(value("(N + tile - 1) // tile"), 63);
  EXPECT_EQ(value("-(-N // tile)"), 63);
  EXPECT_EQ(value("N % tile"), 8);
  EXPECT_EQ(value("min(N, 32 * tile)"), 512);
  EXPECT_EQ(value("max(tile, 2) / 32"), 0.5);
  EXPECT_EQ(value("4096"), 4096);
}

std::string error_of(const char* text) {
  try {
    return std::to_string(Expression(text).value(kNames));
  } catch (const UsageError& error) {
    return error.what();
  }
}

TEST(Expression, SaysWhatItLacks) {
  EXPECT_TRUE(contains(error_of("N // tyle"), "did you mean 'tile'"));
  EXPECT_TRUE(contains(error_of("N // (tile - 16)"), "a divisor is 0"));
  EXPECT_TRUE(contains(error_of("l1 + 1"), "'on' is no number"));
  EXPECT_TRUE(contains(error_of("N < 4"), "is not expected here"));
  EXPECT_TRUE(contains(error_of("min(N)"), "column 6"));
  EXPECT_TRUE(contains(error_of(""), "the end"));
}

TEST(Expression, NamesWhatItIsMadeOf) {
  EXPECT_EQ(Expression("N // tile + N").names(), (std::vector<std::string>{"N", "tile"}));
  EXPECT_EQ(Expression("min(N, 3)").names(), (std::vector<std::string>{"N"}));
}

TEST(Condition, TakesSizesAndFunctions) {
  EXPECT_TRUE(Condition("min(N, tile) == 16").holds(kNames));
  EXPECT_FALSE(Condition("N % tile == 0").holds(kNames));
}

TEST(Condition, ComparesQuotedNumbersByTheirValue) {
  const Config four({{"vec", "4"}, {"share", "0.5"}});
  EXPECT_FALSE(Condition("vec != '4'").holds(four));
  EXPECT_TRUE(Condition("vec in ['2', \"4\"]").holds(four));
  EXPECT_FALSE(Condition("vec not in ['2', '4']").holds(four));
  EXPECT_TRUE(Condition("share == '0.50'").holds(four));
  EXPECT_FALSE(Condition("vec == 'float4'").holds(four));
}

TEST(Condition, TakesNanAndInfForWords) {
  const Config words({{"fill", "nan"}, {"limit", "inf"}});
  EXPECT_TRUE(Condition("fill == 'nan'").holds(words));
  EXPECT_TRUE(Condition("limit == inf and fill != inf").holds(words));
}

}  // namespace
}  // namespace alsbench
