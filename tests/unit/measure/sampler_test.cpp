// SPDX-License-Identifier: Apache-2.0
#include "harness/measure/sampler.h"

#include <gtest/gtest.h>

#include <cmath>

namespace alsbench {
namespace {

TEST(Statistics, MatchNumpyPercentiles) {
  // numpy.percentile([3, 1, 4, 1, 5, 9, 2, 6], [25, 50, 75]) = 1.75, 3.5, 5.25
  const Statistics s = statistics_of({3, 1, 4, 1, 5, 9, 2, 6});
  EXPECT_EQ(s.count, 8);
  EXPECT_DOUBLE_EQ(s.min, 1);
  EXPECT_DOUBLE_EQ(s.q1, 1.75);
  EXPECT_DOUBLE_EQ(s.median, 3.5);
  EXPECT_DOUBLE_EQ(s.q3, 5.25);
  EXPECT_DOUBLE_EQ(s.max, 9);
  EXPECT_DOUBLE_EQ(s.mean, 31.0 / 8);
  EXPECT_DOUBLE_EQ(s.relative_iqr, 1.0);
}

TEST(Statistics, OfOneSampleAreThatSampleAndNoNoise) {
  const Statistics s = statistics_of({0.25});
  EXPECT_DOUBLE_EQ(s.median, 0.25);
  EXPECT_DOUBLE_EQ(s.q1, 0.25);
  EXPECT_TRUE(std::isnan(s.relative_iqr));
  EXPECT_TRUE(std::isnan(s.median_noise));
}

TEST(Statistics, OfNothingHasNoSamples) { EXPECT_EQ(statistics_of({}).count, 0); }

TEST(StopReason, NeverStopsWithoutASample) {
  StopRule rule;
  rule.max_seconds = 0;
  EXPECT_EQ(stop_reason(rule, {}, 1e9), "");
}

TEST(StopReason, SaysWhichRuleStopped) {
  StopRule rule{.min_samples = 3, .max_samples = 6, .max_noise = 0.01, .max_seconds = 10};
  EXPECT_EQ(stop_reason(rule, {1, 1}, 0.1), "");  // quiet, but too few
  EXPECT_EQ(stop_reason(rule, {1, 1, 1}, 0.1), "noise");
  EXPECT_EQ(stop_reason(rule, {1, 2, 3}, 0.1), "");  // noisy
  EXPECT_EQ(stop_reason(rule, {1, 2, 3}, 10), "time");
  EXPECT_EQ(stop_reason(rule, {1, 2, 3, 1, 2, 3}, 0.1), "samples");
}

}  // namespace
}  // namespace alsbench
