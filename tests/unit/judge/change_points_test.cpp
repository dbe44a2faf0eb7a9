// SPDX-License-Identifier: Apache-2.0
// The promises of docs/explanation/ci.md about a history's shifts, held to by simulation.
#include "harness/judge/change_points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "harness/judge/history_shifts.h"

namespace alsbench {
namespace {

using Level = std::function<double(int run)>;

// Ratios of `runs` runs with normal noise of this relative spread about the level.
std::vector<double> series(int runs, double spread, uint64_t seed, const Level& level) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  std::vector<double> ratios;
  for (int run = 0; run < runs; ++run)
    ratios.push_back(level(run) * std::exp(spread * normal(generator)));
  return ratios;
}

// The shifts of a history of one case.
std::vector<Shift> found_in(const std::vector<double>& ratios) {
  HistorySeries one{"case", "GPU", "1", "", {}, {}, ratios};
  for (size_t run = 0; run < ratios.size(); ++run) one.runs.push_back(run);
  return find_shifts({one}, {}).shifts;
}

// The first runs after them.
std::vector<size_t> places_of(const std::vector<Shift>& shifts) {
  std::vector<size_t> places;
  for (const Shift& shift : shifts) places.push_back(shift.at);
  return places;
}
std::vector<size_t> shifts_of(const std::vector<double>& ratios) {
  return places_of(found_in(ratios));
}

bool any_creep(const std::vector<Shift>& shifts) {
  return std::ranges::any_of(shifts, [](const Shift& one) { return one.creep_last.has_value(); });
}

Level step(int at, double factor) {
  return [=](int run) { return run < at ? 1 : factor; };
}
Level constant() { return step(0, 1); }

TEST(ChangePoints, NameTheExactRunWithoutNoise) {
  for (int at = 6; at <= 42; ++at)
    EXPECT_EQ(shifts_of(series(48, 0, 1, step(at, 1.05))),
              std::vector<size_t>{static_cast<size_t>(at)});
}

TEST(ChangePoints, NameTheExactRunIn39Of40SeriesWithNoise) {
  int exact = 0;
  for (uint64_t seed = 0; seed < 40; ++seed)
    exact += shifts_of(series(48, 0.01, seed, step(24, 1.05))) == std::vector<size_t>{24} ? 1 : 0;
  EXPECT_GE(exact, 39);
}

TEST(ChangePoints, SeeASecondShiftSixRunsAfterTheFirst) {
  for (const int gap : {6, 8, 9, 10})
    for (uint64_t seed = 0; seed < 20; ++seed) {
      const auto level = [&](int run) { return run < 30 ? 1 : run < 30 + gap ? 1.1 : 1.1 * 1.08; };
      EXPECT_EQ(shifts_of(series(30 + gap + 6, 0.005, seed, level)),
                (std::vector<size_t>{30, static_cast<size_t>(30 + gap)}))
          << gap << " " << seed;
    }
}

TEST(ChangePoints, SeeARiseThatIsTakenBack) {
  for (uint64_t seed = 0; seed < 20; ++seed)
    EXPECT_EQ(
        shifts_of(series(48, 0.01, seed, [](int run) { return run < 30 || run >= 38 ? 1 : 1.1; })),
        (std::vector<size_t>{30, 38}));
}

TEST(ChangePoints, AreNotSeenInNoiseAlone) {
  for (const double spread : {0.002, 0.01, 0.02, 0.05})
    for (const int runs : {40, 120}) {
      int alarms = 0;
      for (uint64_t seed = 0; seed < 1000; ++seed)
        alarms += shifts_of(series(runs, spread, seed, constant())).empty() ? 0 : 1;
      EXPECT_LE(alarms, 10) << spread << " " << runs;
    }
}

TEST(ChangePoints, AreNotSeenInNoiseOfTwoSpeedsOrWithOutliers) {
  int bimodal = 0, outliers = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    std::mt19937_64 generator(seed);
    std::bernoulli_distribution slow(0.5), far(0.05);
    const auto two_speeds = [&](int) { return slow(generator) ? 1.03 : 1; };
    const auto with_outliers = [&](int) { return far(generator) ? 1.4 : 1; };
    bimodal += shifts_of(series(40, 0.002, seed, two_speeds)).empty() ? 0 : 1;
    outliers += shifts_of(series(40, 0.002, seed, with_outliers)).empty() ? 0 : 1;
  }
  EXPECT_LE(bimodal, 10);
  EXPECT_LE(outliers, 10);
}

TEST(ChangePoints, TellASteadyRiseAsOneCreep) {
  for (const double sum : {1.27, 1 / 1.27}) {
    const std::vector<Shift> found =
        found_in(series(300, 0, 1, [&](int run) { return std::pow(sum, run / 299.0); }));
    ASSERT_EQ(found.size(), 1u);
    ASSERT_TRUE(found[0].creep_last);
    EXPECT_NEAR(found[0].ratio, sum, 0.01);
    EXPECT_LE(found[0].at, 8u);
    EXPECT_GE(*found[0].creep_last, 291u);
  }
}

// Ten changes of 0.4 %, a level of so many runs before and after each.
Level ten_changes(int runs_of_a_level) {
  return [=](int run) { return std::pow(1.004, std::min(10, run / runs_of_a_level)); };
}

bool is_their_sum(const std::vector<Shift>& found) {
  return found.size() == 1 && found[0].creep_last && *found[0].creep_last > found[0].at &&
         std::abs(found[0].ratio - std::pow(1.004, 10)) < 0.01;
}

// In how many of 200 series the ten changes are one creep whose sum is right within a point.
int sums_told(int runs_of_a_level, double spread) {
  int told = 0;
  for (uint64_t seed = 0; seed < 200; ++seed)
    told += is_their_sum(
                found_in(series(11 * runs_of_a_level, spread, seed, ten_changes(runs_of_a_level))))
                ? 1
                : 0;
  return told;
}

TEST(ChangePoints, TellTheSumOfACreep) {
  for (const int runs_of_a_level : {3, 4, 6, 12}) {
    EXPECT_TRUE(
        is_their_sum(found_in(series(11 * runs_of_a_level, 0, 1, ten_changes(runs_of_a_level)))))
        << runs_of_a_level;
    EXPECT_GE(sums_told(runs_of_a_level, 0.003), 190) << runs_of_a_level;
    EXPECT_GE(sums_told(runs_of_a_level, 0.005), 165) << runs_of_a_level;
  }
  EXPECT_GE(sums_told(12, 0.01), 140);
}

TEST(ChangePoints, NameTheRangeOfACreepBetweenLevels) {
  int named = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const auto level = [](int run) { return run < 17 ? 1 : ten_changes(3)(run - 17); };
    const std::vector<Shift> found = found_in(series(67, 0.002, seed, level));
    named += found.size() == 1 && found[0].creep_last && found[0].at >= 15 && found[0].at <= 25 &&
                     *found[0].creep_last >= 42 && *found[0].creep_last <= 52
                 ? 1
                 : 0;
  }
  EXPECT_GE(named, 195);
}

TEST(ChangePoints, CallAClearStepNoCreep) {
  for (const double factor : {1.02, 1.05, 1.1, 0.95}) {
    EXPECT_FALSE(any_creep(found_in(series(48, 0, 1, step(24, factor))))) << factor;
    int creeps = 0;
    for (uint64_t seed = 0; seed < 1000; ++seed)
      creeps += any_creep(found_in(series(48, 0.01, seed, step(24, factor)))) ? 1 : 0;
    EXPECT_LE(creeps, 3) << factor;
  }
}

TEST(ChangePoints, CallStepsThatFollowEachOtherNoCreep) {
  for (const int steps : {2, 3}) {
    const auto level = [&](int run) { return std::pow(1.03, std::min(steps, run / 15)); };
    const std::vector<size_t> places{15, 30, 45};
    const std::vector<size_t> expected(places.begin(), places.begin() + steps);
    int creeps = 0;
    for (uint64_t seed = 0; seed < 1000; ++seed) {
      const std::vector<Shift> clear = found_in(series(15 * (steps + 1), 0.003, seed, level));
      EXPECT_EQ(places_of(clear), expected) << seed;
      EXPECT_FALSE(any_creep(clear)) << seed;
      creeps += any_creep(found_in(series(15 * (steps + 1), 0.01, seed, level))) ? 1 : 0;
    }
    EXPECT_LE(creeps, 25) << steps;
  }
}

TEST(ChangePoints, KeepAStepAmidACreepApart) {
  const auto level = [](int run) { return std::pow(1.004, run / 8) * (run < 48 ? 1 : 1.05); };
  int apart = 0;
  for (uint64_t seed = 0; seed < 40; ++seed)
    for (const Shift& shift : found_in(series(96, 0.002, seed, level)))
      apart += !shift.creep_last && shift.at == 48 && shift.ratio > 1.045 ? 1 : 0;
  EXPECT_GE(apart, 38);
}

TEST(ChangePoints, TellACreepThatIsTakenBack) {
  const auto level = [](int run) { return run < 44 ? std::pow(1.004, run / 4) : 1; };
  int told = 0;
  for (uint64_t seed = 0; seed < 40; ++seed) {
    const std::vector<Shift> found = found_in(series(64, 0.002, seed, level));
    told += found.size() == 2 && found[0].creep_last && found[1].at == 44 && !found[1].creep_last
                ? 1
                : 0;
  }
  EXPECT_GE(told, 38);
}

TEST(ChangePoints, FindTheSumOfCommitsThatNoneOfThemShows) {
  int found = 0;
  for (uint64_t seed = 0; seed < 40; ++seed)
    found +=
        shifts_of(series(60, 0.005, seed, [](int run) { return std::pow(1.003, run * 11 / 60); }))
                .empty()
            ? 0
            : 1;
  EXPECT_GE(found, 39);
  // Two such commits stay within the bound.
  EXPECT_TRUE(
      shifts_of(series(60, 0.001, 1, [](int run) { return std::pow(1.003, run / 20); })).empty());
}

// 22 cases of `runs` runs each, one of them with this level.
ShiftSearch search_of_22(int runs, const Level& level) {
  std::vector<HistorySeries> all;
  for (int i = 0; i < 22; ++i) {
    HistorySeries one{"case " + std::to_string(i), "GPU", "1", "", {}, {}};
    one.ratio = series(runs, 0.01, static_cast<uint64_t>(i), i == 0 ? level : constant());
    for (int run = 0; run < runs; ++run) one.runs.push_back(static_cast<size_t>(run));
    all.push_back(std::move(one));
  }
  return find_shifts(all, {});
}

TEST(ShiftSearch, SaysWhatSoFewRunsCannotTell) {
  for (const int runs : {12, 14, 16}) {
    const ShiftSearch search = search_of_22(runs, step(runs / 2, 2));
    EXPECT_TRUE(search.shifts.empty());
    EXPECT_FALSE(search.any_testable);
    EXPECT_EQ(search.places, 0);
    EXPECT_EQ(search.runs_needed, 21);
    ASSERT_EQ(search.too_short.size(), 1u);
    EXPECT_EQ(search.too_short[0].series.size(), 22u);
    EXPECT_EQ(search.too_short[0].first_place, 0u);
  }
}

TEST(ShiftSearch, TellsEveryPlaceWithTheRunsThatItAsksFor) {
  for (const int at : {6, 10, 15}) {
    const ShiftSearch search = search_of_22(21, step(at, 2));
    EXPECT_TRUE(search.any_testable);
    EXPECT_TRUE(search.too_short.empty());
    ASSERT_EQ(search.shifts.size(), 1u) << at;
    EXPECT_EQ(search.shifts[0].at, static_cast<size_t>(at));
  }
}

}  // namespace
}  // namespace alsbench
