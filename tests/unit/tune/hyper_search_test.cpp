// SPDX-License-Identifier: Apache-2.0
// The search for hyper-parameters, on formulas.
#include "harness/tune/pipeline/hyper_search.h"

#include <gtest/gtest.h>

#include <string>

namespace alsbench {
namespace {

using Iterations = std::optional<std::vector<IterationRecord>>;

constexpr double kTarget = 0.91;

const ParameterSpace& space() {
  static const ParameterSpace space{{.name = "begin", .values = {"plain", "near", "bad"}},
                                    {.name = "push", .values = {0, "0.6"}, .open = true},
                                    {.name = "alone", .values = {3}, .open = true}};
  return space;
}

// The target is reached after the first of three iterations; `best` is the metric of the last.
Iterations curve(double seconds, double best) {
  std::vector<IterationRecord> iterations(3);
  for (IterationRecord& record : iterations) record.seconds = seconds;
  iterations[0].test_metric = iterations[1].test_metric = kTarget;
  iterations[2].test_metric = best;
  return iterations;
}

Iterations train(const Config& hyper) {
  double seconds = hyper.is("push", "0.6") ? 4.5 : 5;
  if (hyper.is("begin", "near")) seconds -= 2;
  if (hyper.is("begin", "bad")) return curve(1, 0.9003);
  return curve(seconds, 0.9);
}

std::optional<HyperSearch> searched(const TrainHyper& train) {
  return search_hyper(space().parameters(), space().default_config(), kTarget, train,
                      [](const HyperTrial&) {});
}

TEST(HyperSearch, TakesTheSoonestThatEndsNoWorse) {
  const auto search = searched(train);
  ASSERT_TRUE(search);
  EXPECT_EQ(search->chosen().hyper.text(), "begin=near,push=0.6,alone=3");
  EXPECT_EQ(search->fallback().hyper, space().default_config());
  EXPECT_EQ(search->trials.size(), 4u);
  EXPECT_EQ(search->chosen().seconds, 2.5);
  EXPECT_EQ(search->chosen().metric, 0.9);
  for (const HyperTrial& trial : search->trials)
    EXPECT_EQ(trial.passed, !trial.hyper.is("begin", "bad")) << trial.hyper.text();
}

TEST(HyperSearch, StaysWithTheDefaultWhereNothingIsSooner) {
  const auto search = searched([](const Config& hyper) {
    return curve(hyper == space().default_config() ? 5 : 4.99, 0.9);  // within the noise
  });
  ASSERT_TRUE(search);
  EXPECT_EQ(search->pick, 0u);
}

TEST(HyperSearch, JudgesTheMedianOfItsTrainings) {
  int training = 0;
  const auto search = searched([&](const Config& hyper) {
    const bool stumbles = ++training % 3 == 0;
    return curve((hyper.is("begin", "near") ? 3 : 5) * (stumbles ? 10 : 1), 0.9);
  });
  ASSERT_TRUE(search);
  EXPECT_EQ(search->chosen().hyper.text(), "begin=near,push=0,alone=3");
  EXPECT_EQ(search->chosen().seconds, 3);
}

TEST(HyperSearch, TakesWhatReachesATargetThatTheDefaultMisses) {
  const auto search = searched([](const Config& hyper) {
    Iterations iterations = curve(5, 0.9);
    if (!hyper.is("push", "0.6"))
      for (IterationRecord& record : *iterations) record.test_metric = 0.92;
    return iterations;
  });
  ASSERT_TRUE(search);
  EXPECT_EQ(search->chosen().hyper.text(), "begin=plain,push=0.6,alone=3");
  EXPECT_EQ(search->fallback().seconds, 15) << "all of its iterations";
}

TEST(HyperSearch, LeavesOutWhatFails) {
  const auto search = searched(
      [](const Config& hyper) { return hyper.is("begin", "near") ? std::nullopt : train(hyper); });
  ASSERT_TRUE(search);
  EXPECT_EQ(search->trials.size(), 3u);
  EXPECT_FALSE(searched([](const Config&) { return Iterations(); }));
}

}  // namespace
}  // namespace alsbench
