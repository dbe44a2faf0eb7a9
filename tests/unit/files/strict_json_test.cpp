// SPDX-License-Identifier: Apache-2.0
#include "harness/files/strict_json.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace alsbench {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_json(text, "file.json");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "did not throw";
}

TEST(StrictJson, KeepsWhatItRead) {
  const std::string text = R"({"b":[1,2.5,{"a":null}],"a":{"c":true,"d":"x"}})";
  EXPECT_EQ(parse_json(text, "file.json").dump(), text);
}

TEST(StrictJson, AKeyThatIsThereTwiceIsNamedWithItsPlace) {
  EXPECT_EQ(refusal(R"({"cases": [{}, {"a/b": {"x": 1, "y": 2, "x": 3}}]})"),
            R"(file.json: "/cases/1/a~1b/x" is there twice; remove one)");
  EXPECT_EQ(refusal(R"([{"x": 1}, {"x": 1}])"), "did not throw");
}

TEST(StrictJson, ANumberBeyondDoublesIsNamedWithItsPlace) {
  EXPECT_NE(refusal(R"({"a": [0, 1e999]})").find("\"/a/1\" is a number beyond"), std::string::npos);
}

TEST(StrictJson, NestingHasAnEnd) {
  const auto nested = [](size_t levels) {
    return std::string(levels, '[') + std::string(levels, ']');
  };
  EXPECT_EQ(refusal(nested(64)), "did not throw");
  EXPECT_NE(refusal(nested(65)).find("is nested over 64 levels deep"), std::string::npos);
  EXPECT_NE(refusal(nested(1000000)).find("is nested over 64 levels deep"), std::string::npos);
}

TEST(StrictJson, WhatIsNoJsonIsSaidWithLineAndColumn) {
  EXPECT_EQ(refusal("{\"a\": 1,\n\"b\": ").find("file.json: is not JSON: parse error at line 2"),
            0u);
  EXPECT_NE(refusal("").find("was it cut off?"), std::string::npos);
}

TEST(StrictJson, ControlCharactersOfKeysReachNoTerminal) {
  const std::string text = refusal(R"({"\u001b[2J": 1, "\u001b[2J": 2})");
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << text;
  EXPECT_NE(text.find("\\u001b"), std::string::npos) << text;
}

}  // namespace
}  // namespace alsbench
