// SPDX-License-Identifier: Apache-2.0
#include "harness/files/processor_time.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

namespace alsbench {
namespace {

// user, nice, system, idle, waiting, interrupts, software interrupts, stolen, guests
constexpr const char* kStat =
    "cpu  330 30 60 9000 700 3 6 9 0 0\n"
    "cpu0 100 10 20 4000 300 1 2 3 0 0\n"
    "cpu1 200 20 40 5000 400 2 4 6 0 0\n"
    "intr 12 13\n";

std::optional<ProcessorTime> parse(const std::string& text, int usable) {
  std::istringstream stream(text);
  return parse_processor_time(stream, 100, [usable](int number) { return number == usable; });
}

TEST(ProcessorTime, IsThatOfTheProcessorsThatMayBeUsed) {
  EXPECT_DOUBLE_EQ(parse(kStat, 1)->busy_seconds, 2.72);
  EXPECT_EQ(parse(kStat, 1)->processors, 1);
}

TEST(ProcessorTime, IsThatOfAllWhereNoneIsNamed) {
  EXPECT_DOUBLE_EQ(parse(kStat, 7)->busy_seconds, 4.08);
  EXPECT_EQ(parse(kStat, 7)->processors, 2);
}

TEST(ProcessorTime, IsNotKnownOfOtherTexts) {
  EXPECT_FALSE(parse("", 0));
  EXPECT_FALSE(parse("cpu0 1 2 3\n", 0));
  EXPECT_FALSE(parse("processes 7\n", 0));
}

TEST(ProcessorTime, OfThisMachineGrows) {
  const auto before = processor_time();
  if (!before) GTEST_SKIP() << "this system does not say";
  EXPECT_GE(before->processors, 1);
  EXPECT_GE(processor_time()->busy_seconds, before->busy_seconds);
}

}  // namespace
}  // namespace alsbench
