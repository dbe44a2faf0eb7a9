// SPDX-License-Identifier: Apache-2.0
#include "harness/files/strict_json.h"

#include <gtest/gtest.h>

#include "tests/unit/texts.h"

namespace alsbench {
namespace {

std::string refusal(const std::string& text) {
  return thrown_by([&] { parse_json(text, "file.json"); });
}

TEST(StrictJson, KeepsWhatItRead) {
  const std::string text = R"({"b":[1,2.5,{"a":null}],"a":{"c":true,"d":"x"}})";
  EXPECT_EQ(parse_json(text, "file.json").dump(), text);
}

TEST(StrictJson, AKeyThatIsThereTwiceIsNamedWithItsPlace) {
  EXPECT_EQ(refusal(R"({"cases": [{}, {"a/b": {"x": 1, "y": 2, "x": 3}}]})"),
            R"(file.json: "/cases/1/a~1b/x" is there twice; remove one)");
  EXPECT_EQ(refusal(R"([{"x": 1}, {"x": 1}])"), "");
}

TEST(StrictJson, ANumberBeyondDoublesIsNamedWithItsPlace) {
  EXPECT_TRUE(contains(refusal(R"({"a": [0, 1e999]})"), "\"/a/1\" is a number beyond"));
}

TEST(StrictJson, NestingHasAnEnd) {
  const auto nested = [](size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(refusal(nested(64)), "");
  EXPECT_TRUE(contains(refusal(nested(65)), "is nested over 64 levels deep"));
  EXPECT_TRUE(contains(refusal(nested(1000000)), "is nested over 64 levels deep"));
}

TEST(StrictJson, WhatIsNoJsonIsSaidWithLineAndColumn) {
  EXPECT_EQ(refusal("{\"a\": 1,\n\"b\": ").find("file.json: is not JSON: parse error at line 2"),
            0u);
  EXPECT_TRUE(contains(refusal(""), "was it cut off?"));
}

TEST(StrictJson, ControlCharactersOfKeysReachNoTerminal) {
  const std::string text = refusal(R"({"\u001b[2J": 1, "\u001b[2J": 2})");
  EXPECT_FALSE(contains(text, "\x1b"));
  EXPECT_TRUE(contains(text, "\\u001b"));
}

}  // namespace
}  // namespace alsbench
