// SPDX-License-Identifier: Apache-2.0
#include "harness/model/npy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "harness/model/model_files.h"
#include "tests/unit/content_text.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

TEST(NpyContent, HaveAnAlignedHeaderAndTheValues) {
  const std::vector<float> values{1.5f, -2.0f, 3.25f, 4.0f, 5.0f, 6.0f};
  const std::string bytes = whole_text(npy_content(values, 3, 2));
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  uint16_t length = 0;
  std::memcpy(&length, bytes.data() + 8, 2);
  const size_t data = 10u + length;
  EXPECT_EQ(data % 64, 0u);
  EXPECT_EQ(bytes[data - 1], '\n');
  EXPECT_TRUE(contains(bytes.substr(10, length), "'shape': (3, 2)"));
  ASSERT_EQ(bytes.size(), data + values.size() * 4);
  EXPECT_EQ(std::memcmp(bytes.data() + data, values.data(), values.size() * 4), 0);
}

TEST(IdLines, AreOneIdALine) {
  const std::vector<std::string> ids{"12", "user 7"}, none;
  EXPECT_EQ(whole_text(id_lines(2, ids)), "12\nuser 7\n");
  EXPECT_EQ(whole_text(id_lines(3, none)), "0\n1\n2\n");
}

TEST(IdLines, OfManyRowsAreAllThere) {
  constexpr int64_t kRows = 300'000;  // several pieces
  const std::string text =
      whole_text(id_lines(kRows, [](int64_t row) { return std::to_string(1'000'000 + row); }));
  ASSERT_EQ(std::ssize(text), kRows * 8);
  EXPECT_TRUE(text.ends_with("1299998\n1299999\n"));
}

}  // namespace
}  // namespace alsbench
