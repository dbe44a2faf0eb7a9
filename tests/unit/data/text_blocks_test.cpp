// SPDX-License-Identifier: Apache-2.0
#include "harness/data/text_blocks.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>

namespace alsbench {
namespace {

TEST(TextBlock, WritesFloatsWithTheFewestDigitsThatGiveThemAgain) {
  std::mt19937 bits(1);
  for (int i = 0; i < 100000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(bits()));
    if (std::isnan(value)) continue;
    TextBlock text;
    text.add(value);
    const std::string written(text.text());
    ASSERT_EQ(std::strtof(written.c_str(), nullptr), value) << written;
    ASSERT_EQ(written, fmt::format("{}", value));
  }
}

TEST(TextBlock, JoinsPartsOfAnyLength) {
  TextBlock text;
  const std::string name(1000, 'n');
  text.add(name, '\t', std::numeric_limits<int64_t>::min(), ',', 3.5f, "\r\n", int32_t{7});
  EXPECT_EQ(text.text(), name + "\t-9223372036854775808,3.5\r\n7");
  text.clear();
  text.add_bytes(int32_t{-1});
  EXPECT_EQ(text.text(), "\xff\xff\xff\xff");
}

TEST(WriteRows, KeepsTheOrderOfRows) {
  constexpr int64_t kRows = 1000;
  std::string expected, written;
  for (int64_t row = 0; row < kRows; ++row) expected += fmt::format("{}\n", row);
  for (const int64_t block : {1, 7, 1000, 5000}) {
    written.clear();
    write_rows(
        kRows, block, [](int64_t row, TextBlock& text) { text.add(row, '\n'); },
        [&](std::string_view text) { written += text; });
    EXPECT_EQ(written, expected) << block;
  }
}

TEST(WriteBlocks, ThrowsWhatFormattingOrWritingThrew) {
  const auto add = [](int64_t block, TextBlock& text) { text.add(block); };
  const auto ignore = [](std::string_view) {};
  EXPECT_THROW(write_blocks(
                   100,
                   [](int64_t block, TextBlock&) {
                     if (block == 40) throw std::invalid_argument("block 40");
                   },
                   ignore),
               std::invalid_argument);
  EXPECT_THROW(
      write_blocks(100, add, [](std::string_view) { throw std::length_error("disk full"); }),
      std::length_error);
}

}  // namespace
}  // namespace alsbench
