// SPDX-License-Identifier: Apache-2.0
#include "harness/files/host_memory.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace alsbench {
namespace {

TEST(HostMemory, ContainersTakeNoMoreThanThereIs) {
  std::vector<char> values;
  const size_t much = size_t{1} << 50;
  try {
    values.resize(much);
    FAIL() << "a petabyte was granted";
  } catch (const HostMemoryError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("1125899906842624 bytes asked for, "), std::string::npos) << text;
    EXPECT_NE(text.find(" free; choose"), std::string::npos) << text;
  }
  values.resize(size_t{65} << 20);
  EXPECT_EQ(values.back(), 0);
}

TEST(HostMemory, SomeIsFreeAndLessThanAPetabyte) {
  EXPECT_GT(free_host_bytes(), 0);
  EXPECT_LT(free_host_bytes(), int64_t{1} << 50);
  EXPECT_NO_THROW(expect_host_memory(1));
  EXPECT_THROW(expect_host_memory(int64_t{1} << 50), HostMemoryError);
}

}  // namespace
}  // namespace alsbench
