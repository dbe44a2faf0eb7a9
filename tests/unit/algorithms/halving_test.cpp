// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/train/search.h"

namespace alsbench {
namespace {

using Metrics = std::optional<std::vector<double>>;

constexpr double kFailed = std::numeric_limits<double>::quiet_NaN();

Metrics one(double metric) { return std::vector<double>{metric}; }

TEST(Halving, RoundsDoubleUpToAllIterations) {
  EXPECT_EQ(halving_rounds(1, 10), std::vector<int>{});
  EXPECT_EQ(halving_rounds(2, 10), std::vector<int>{10});
  EXPECT_EQ(halving_rounds(8, 20), (std::vector<int>{5, 10, 20}));
  EXPECT_EQ(halving_rounds(9, 20), (std::vector<int>{3, 5, 10, 20}));
  EXPECT_EQ(halving_rounds(16, 2), (std::vector<int>{2, 2, 2, 2}));
}

TEST(Halving, FindsTheBestAndTrainsItsLikeLonger) {
  // A metric that falls with iterations to the candidate's own level.
  const auto trial = [](size_t candidate, int iterations) -> Metrics {
    return one(std::abs(static_cast<double>(candidate) - 5) + 10.0 / iterations);
  };
  const Halving result = halve(8, 20, Better::less, trial);
  EXPECT_EQ(result.best, 5u);
  ASSERT_EQ(result.trials.size(), 8u + 4 + 2);
  EXPECT_EQ(result.trials[8].candidate, 3u);
  EXPECT_EQ(result.trials[8].iterations, 10);
  EXPECT_EQ(result.trials[13].iterations, 20);
}

TEST(Halving, OfEqualOnesTheEarlierIsTheBest) {
  const auto trial = [](size_t, int) -> Metrics { return one(1); };
  EXPECT_EQ(halve(5, 10, Better::less, trial).best, 0u);
}

TEST(Halving, WhatFailsIsTheWorst) {
  const auto trial = [](size_t candidate, int) -> Metrics {
    return one(candidate == 3 ? 7 : kFailed);
  };
  EXPECT_EQ(halve(4, 10, Better::less, trial).best, 3u);
  const Halving none = halve(4, 10, Better::less, [](size_t, int) { return one(kFailed); });
  EXPECT_EQ(none.best, std::nullopt);
  EXPECT_FALSE(none.interrupted);
}

TEST(Halving, WhereGreaterIsBetterTheGreatestIsTheBest) {
  const std::vector<double> metrics = {0.2, kFailed, 0.4, 0.1, 0.4, 0.3};
  const auto trial = [&](size_t candidate, int) -> Metrics { return one(metrics[candidate]); };
  const Halving result = halve(6, 10, Better::greater, trial);
  EXPECT_EQ(result.best, 2u);
  ASSERT_EQ(result.trials.size(), 6u + 3 + 2);
  EXPECT_EQ(result.trials[6].candidate, 2u);
  EXPECT_EQ(result.trials[8].candidate, 5u);
  EXPECT_EQ(result.trials[6].metric(), 0.4) << "metrics are kept as they are";
  EXPECT_EQ(halve(6, 10, Better::less, trial).best, 3u);
}

TEST(Halving, SeedsAreJudgedByTheirMean) {
  // The first candidate has the luckiest seed, and the last one a seed that fails.
  const std::vector<std::vector<double>> metrics = {{1, 5}, {2.5, 2.5}, {0.5, kFailed}};
  const auto trial = [&](size_t candidate, int) -> Metrics { return metrics[candidate]; };
  const Halving result = halve(3, 10, Better::less, trial);
  EXPECT_EQ(result.best, 1u);
  EXPECT_EQ(result.trials[0].metric(), 3);
  EXPECT_EQ(result.trials[0].metrics, metrics[0]);
}

TEST(Halving, AnInterruptEndsIt) {
  int trials = 0;
  const auto trial = [&](size_t, int) { return ++trials == 3 ? std::nullopt : one(trials); };
  const Halving result = halve(8, 10, Better::less, trial);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.best, std::nullopt);
  EXPECT_EQ(result.trials.size(), 2u);
}

TEST(Halving, ASingleCandidateIsTheBest) {
  EXPECT_EQ(halve(1, 10, Better::less, [](size_t, int) { return one(kFailed); }).best, 0u);
}

}  // namespace
}  // namespace alsbench
