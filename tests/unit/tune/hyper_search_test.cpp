// SPDX-License-Identifier: Apache-2.0
// The search for hyper-parameters, on formulas.
#include "harness/tune/pipeline/hyper_search.h"

#include <gtest/gtest.h>

#include <string>

namespace alsbench {
namespace {

const ParameterSpace& space() {
  static const ParameterSpace space{{.name = "begin", .values = {"plain", "near", "bad"}},
                                    {.name = "push", .values = {0, "0.6"}, .open = true},
                                    {.name = "alone", .values = {3}, .open = true}};
  return space;
}

HyperTrial trial_of(const Config& hyper) {
  HyperTrial trial{.hyper = hyper, .reached = true, .seconds = 5, .metric = 0.9};
  if (hyper.is("begin", "near")) trial.seconds = 3;
  if (hyper.is("begin", "bad")) trial.seconds = 1, trial.metric = 0.9003;
  if (hyper.is("push", "0.6")) trial.seconds -= 0.5;
  return trial;
}

TEST(HyperSearch, TakesTheSoonestThatEndsNoWorse) {
  const auto search = search_hyper(space(), trial_of);
  ASSERT_TRUE(search);
  EXPECT_EQ(search->chosen().hyper.text(), "begin=near,push=0.6,alone=3");
  EXPECT_EQ(search->fallback().hyper, space().default_config());
  EXPECT_EQ(search->trials.size(), 4u);
  EXPECT_EQ(search->chosen().seconds, 2.5);
  for (const HyperTrial& trial : search->trials)
    EXPECT_EQ(trial.passed, !trial.hyper.is("begin", "bad")) << trial.hyper.text();
}

TEST(HyperSearch, StaysWithTheDefaultWhereNothingIsSooner) {
  const auto search = search_hyper(space(), [](const Config& hyper) {
    HyperTrial trial = trial_of(hyper);
    trial.seconds = hyper == space().default_config() ? 5 : 4.99;  // within the noise
    return trial;
  });
  ASSERT_TRUE(search);
  EXPECT_EQ(search->pick, 0u);
}

TEST(HyperSearch, TakesWhatReachesATargetThatTheDefaultMisses) {
  const auto search = search_hyper(space(), [](const Config& hyper) {
    HyperTrial trial = trial_of(hyper);
    trial.reached = hyper.is("push", "0.6");
    return trial;
  });
  ASSERT_TRUE(search);
  EXPECT_EQ(search->chosen().hyper.text(), "begin=plain,push=0.6,alone=3");
}

TEST(HyperSearch, LeavesOutWhatFails) {
  const auto search = search_hyper(space(), [](const Config& hyper) -> std::optional<HyperTrial> {
    if (hyper.is("begin", "near")) return std::nullopt;
    return trial_of(hyper);
  });
  ASSERT_TRUE(search);
  EXPECT_EQ(search->trials.size(), 3u);
  EXPECT_FALSE(search_hyper(space(), [](const Config&) { return std::optional<HyperTrial>(); }));
}

}  // namespace
}  // namespace alsbench
