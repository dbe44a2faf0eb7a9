// SPDX-License-Identifier: Apache-2.0
// The promises of docs/explanation/ci.md about a history's shifts, held to by simulation.
#include "harness/judge/change_points.h"

#include <gtest/gtest.h>

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

// The first runs after the shifts of a history of one case.
std::vector<size_t> shifts_of(const std::vector<double>& ratios) {
  HistorySeries one{"case", "GPU", "1", "", {}, ratios};
  for (size_t run = 0; run < ratios.size(); ++run) one.runs.push_back(run);
  std::vector<size_t> places;
  for (const Shift& shift : find_shifts({one}, {}).shifts) places.push_back(shift.at);
  return places;
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

TEST(ChangePoints, FindACreepAsALevelAfterTheOther) {
  std::vector<double> steady =
      series(300, 0, 1, [](int run) { return std::pow(1.27, run / 299.0); });
  std::vector<double> logs;
  for (const double ratio : steady) logs.push_back(std::log(ratio));
  double all = 1;
  for (const ChangePoint& point : change_points(logs, {})) {
    EXPECT_GT(point.comparison.ratio, 1.01);
    all *= point.comparison.ratio;
  }
  EXPECT_NEAR(all, 1.27, 0.03);
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
