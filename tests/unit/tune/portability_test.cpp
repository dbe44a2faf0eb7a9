// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/portability.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "harness/tune/search/energy_front.h"

namespace alsbench {
namespace {

constexpr double kFailed = std::numeric_limits<double>::infinity();

const std::vector<Platform> kPlatforms{
    {"small", {{"a", 1}, {"b", 2}, {"c", 1.25}, {"d", 1}}},
    {"large", {{"a", 4}, {"b", 1}, {"c", 1.25}, {"d", kFailed}}}};

TEST(Portability, IsTheHarmonicMeanOfEfficienciesAndZeroWhereAPointFails) {
  const PortabilityRecord record = portability_of(kPlatforms, "a");
  EXPECT_EQ(record.pick.point, "c");
  EXPECT_DOUBLE_EQ(record.pick.performance_portability, 0.8);
  EXPECT_NEAR(record.pick.platforms[1].loss(), 0.25, 1e-12);
  EXPECT_EQ(record.pick.platforms[1].best, "b");
  EXPECT_DOUBLE_EQ(record.default_point.performance_portability, 2 / (1 / 1.0 + 1 / 0.25));
  ASSERT_EQ(record.next.size(), 3u);
  EXPECT_EQ(record.next.back().point, "d");
  EXPECT_DOUBLE_EQ(record.next.back().performance_portability, 0);
}

TEST(Portability, AnswersWithThePointThatASearchChose) {
  const PortabilityRecord record = portability_of(kPlatforms, "a", "b");
  EXPECT_EQ(record.pick.point, "b");
  ASSERT_EQ(record.next.size(), 3u);
  EXPECT_EQ(record.next.front().point, "c");
}

TEST(Portability, TakesPointsThatWereMeasuredEverywhereAlone) {
  std::vector<Platform> platforms = kPlatforms;
  platforms[1].seconds.erase("c");
  EXPECT_EQ(portability_of(platforms, "c").pick.point, "b");
  EXPECT_TRUE(portability_of(platforms, "c").default_point.point.empty());
  platforms[1].seconds = {{"z", 1}};
  EXPECT_THROW(portable_points(platforms), UsageError);
  platforms[1].seconds = {{"a", kFailed}};
  EXPECT_THROW(portable_points(platforms), UsageError);
}

PointEnergy point_of(const char* name, double seconds, double joules) {
  PointEnergy point;
  point.item.variant = name;
  point.seconds = seconds;
  point.energy.joules = joules;
  return point;
}

TEST(EnergyFront, HasThePointsThatNothingBeatsInBoth) {
  const PointEnergyFront front = energy_front<PointRecord>(
      SearchObjective::front,
      {point_of("slow", 4, 1), point_of("beaten", 3, 5), point_of("fast", 1, 4),
       point_of("twin", 1, 6), point_of("middle", 2, 3)});
  std::string on_front;
  for (const PointEnergy& point : front.points)
    if (point.on_front) on_front += point.item.variant + " ";
  EXPECT_EQ(on_front, "fast middle slow ");
  EXPECT_EQ(front.thriftiest().item.variant, "slow");
}

}  // namespace
}  // namespace alsbench
