// SPDX-License-Identifier: Apache-2.0
#include "harness/peers/peer_progress.h"

#include <gtest/gtest.h>

#include "harness/peers/placeholders.h"

namespace alsbench {
namespace {

using Field = ProgressPattern::Field;

ProgressPattern pattern(const std::string& text, std::vector<Field> fields) {
  return {text, RegularExpression(text, RegularExpression::Groups::kept), std::move(fields)};
}

TEST(PeerProgress, IsReadOfLinesHoweverTheyCome) {
  const std::vector<ProgressPattern> patterns{
      pattern("^iteration ([0-9]+): (.*) s$", {Field::iteration, Field::seconds}),
      pattern("^total (.*)$", {Field::total_seconds})};
  ProgressReader reader(patterns);
  reader.add("hello\niteration 1: 0.5 s\r\niterat", 1);
  reader.add("ion 2: x s\ntotal 3", 2);
  EXPECT_FALSE(reader.total_seconds());
  reader.add(".5\n", 3);
  const std::vector<PeerProgress> progress = reader.take_progress();
  ASSERT_EQ(progress.size(), 2u);
  EXPECT_EQ(progress[0].iteration, 1);
  EXPECT_EQ(progress[0].at_seconds, 1);
  EXPECT_EQ(progress[0].own_seconds, 0.5);
  EXPECT_EQ(progress[1].iteration, 2);
  EXPECT_EQ(progress[1].at_seconds, 2);
  EXPECT_FALSE(progress[1].own_seconds);
  EXPECT_EQ(reader.total_seconds(), 3.5);
}

TEST(PeerProgress, CountsIterationsFromZeroToo) {
  const std::vector<ProgressPattern> patterns{
      pattern("^ *([0-9]+) +([0-9.]+)$", {Field::index, Field::test_metric})};
  ProgressReader reader(patterns);
  reader.add("  19   0.91\n", 1);
  EXPECT_EQ(reader.take_progress().at(0).iteration, 20);
  EXPECT_EQ(reader.test_metric(), 0.91);
}

TEST(PeerProgress, BearsALineWithoutEnd) {
  const std::vector<ProgressPattern> patterns{pattern("^(x+)$", {Field::seconds})};
  ProgressReader reader(patterns);
  for (int i = 0; i < 1000; ++i) reader.add(std::string(10000, 'x'), i);
  reader.add("\n", 1);
  EXPECT_EQ(reader.bytes(), 10000001);
  EXPECT_TRUE(reader.take_progress().empty());
}

TEST(Placeholders, AreFilledOnceAndKnownOnesOnly) {
  EXPECT_EQ(placeholders_in("-k={rank} {lambda"), std::vector<std::string>{"rank"});
  EXPECT_EQ(filled("{a}{b}{a}{c}", {{"a", "{b}"}, {"b", "2"}}), "{b}2{b}{c}");
}

}  // namespace
}  // namespace alsbench
