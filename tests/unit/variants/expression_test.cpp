// SPDX-License-Identifier: Apache-2.0
#include "variants/core/expression.h"

#include <gtest/gtest.h>

#include "base/error.h"

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
  EXPECT_NE(error_of("N // tyle").find("did you mean 'tile'"), std::string::npos)
      << error_of("N // tyle");
  EXPECT_NE(error_of("N // (tile - 16)").find("a divisor is 0"), std::string::npos);
  EXPECT_NE(error_of("l1 + 1").find("'on' is no number"), std::string::npos);
  EXPECT_NE(error_of("N < 4").find("is not expected here"), std::string::npos);
  EXPECT_NE(error_of("min(N)").find("column 6"), std::string::npos) << error_of("min(N)");
  EXPECT_NE(error_of("").find("the end"), std::string::npos);
}

TEST(Expression, NamesWhatItIsMadeOf) {
  EXPECT_EQ(Expression("N // tile + N").names(), (std::vector<std::string>{"N", "tile"}));
  EXPECT_EQ(Expression("min(N, 3)").names(), (std::vector<std::string>{"N"}));
}

TEST(Condition, TakesSizesAndFunctions) {
  EXPECT_TRUE(Condition("min(N, tile) == 16").holds(kNames));
  EXPECT_FALSE(Condition("N % tile == 0").holds(kNames));
}

}  // namespace
}  // namespace alsbench
