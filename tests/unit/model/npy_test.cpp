// SPDX-License-Identifier: Apache-2.0
#include "harness/model/npy.h"

#include <gtest/gtest.h>

#include <cstring>

#include "harness/model/model_files.h"

namespace alsbench {
namespace {

TEST(NpyBytes, HaveAnAlignedHeaderAndTheValues) {
  const std::vector<float> values{1.5f, -2.0f, 3.25f, 4.0f, 5.0f, 6.0f};
  const std::string bytes = npy_bytes(values, 3, 2);
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  uint16_t length = 0;
  std::memcpy(&length, bytes.data() + 8, 2);
  const size_t data = 10u + length;
  EXPECT_EQ(data % 64, 0u);
  EXPECT_EQ(bytes[data - 1], '\n');
  EXPECT_NE(bytes.substr(10, length).find("'shape': (3, 2)"), std::string::npos);
  ASSERT_EQ(bytes.size(), data + values.size() * 4);
  EXPECT_EQ(std::memcmp(bytes.data() + data, values.data(), values.size() * 4), 0);
}

TEST(IdMapText, IsOneIdALine) {
  EXPECT_EQ(id_map_text({"12", "user 7"}, 2), "12\nuser 7\n");
  EXPECT_EQ(id_map_text({}, 3), "0\n1\n2\n");
}

}  // namespace
}  // namespace alsbench
