// SPDX-License-Identifier: Apache-2.0
#include "harness/tune/search/tuner.h"

#include <gtest/gtest.h>

#include <random>

#include "synthetic_space.h"

namespace alsbench {
namespace {

const SearchSpace& small_space() {
  static const SearchSpace space = grid_space({{"tile", {"1", "2", "4", "8", "16", "32"}},
                                               {"bin", {"16", "32", "48", "64"}},
                                               {"gather", {"a", "b", "c"}},
                                               {"stages", {"1", "2"}},
                                               {"l1", {"on", "off"}}});
  return space;
}

FakeObjective objective_of(const SearchSpace& space) {
  return FakeObjective([&space](size_t point) { return cost_of(space[point]); });
}

size_t point_of(const SearchSpace& space, const std::string& text) {
  const size_t point = space.find(text);
  EXPECT_LT(point, space.size()) << text;
  return point;
}

TuneOptions exhaustive() {
  TuneOptions options;
  options.strategy = "exhaustive";
  return options;
}

TEST(Tuner, ExhaustiveChoosesTheLeast) {
  const SearchSpace& space = small_space();
  FakeObjective objective = objective_of(space);
  const TuningResult result = tune(space, objective, exhaustive());
  ASSERT_TRUE(result.found);
  EXPECT_EQ(space[result.best].text(), "v:tile=8,bin=64,gather=c,stages=2,l1=off");
  EXPECT_EQ(result.evaluations, static_cast<int64_t>(space.size()));
  EXPECT_EQ(result.stop_reason, "finished");
  EXPECT_GT(result.margin(), 1.5);
  EXPECT_GT(objective.announced, 0u);
}

TEST(Tuner, NothingIsAnnouncedThatTheBudgetDoesNotReach) {
  const SearchSpace& space = small_space();
  for (const std::string& name : strategy_names()) {
    FakeObjective objective = objective_of(space);
    TuneOptions options;
    options.strategy = name;
    options.first = {0, 1, 2, 3, 4, 5};
    options.budget.evaluations = 4;
    options.sampling.playoff_samples = 0;
    tune(space, objective, options);
    EXPECT_LE(objective.announced, 4u) << name;  // the default is measured without
    EXPECT_EQ(objective.guessed, 0u) << name;
  }
}

TEST(Tuner, TheDefaultIsAlwaysMeasured) {
  const SearchSpace& space = small_space();
  for (const std::string& name : strategy_names()) {
    FakeObjective objective = objective_of(space);
    TuneOptions options;
    options.strategy = name;
    options.budget.evaluations = 5;
    const TuningResult result = tune(space, objective, options);
    EXPECT_GT(objective.calls[space.default_point()], 0) << name;
    EXPECT_TRUE(std::isfinite(result.default_seconds)) << name;
    EXPECT_LE(result.evaluations, 5) << name;
    EXPECT_GE(result.margin(), 1) << name;
    EXPECT_EQ(result.stop_reason, "evaluations") << name;
  }
}

TEST(Tuner, TheBudgetOfSecondsEndsTheSearch) {
  const SearchSpace& space = small_space();
  FakeObjective objective = objective_of(space);
  TuneOptions options = exhaustive();
  options.budget.seconds = 0.1;
  const TuningResult result = tune(space, objective, options);
  EXPECT_EQ(result.stop_reason, "seconds");
  EXPECT_LT(result.evaluations, 60);
}

TEST(Tuner, HopelessPointsGetOneSampleAndContendersMore) {
  const SearchSpace& space = small_space();
  FakeObjective objective = objective_of(space);
  TuneOptions options = exhaustive();
  options.sampling.bail_out = 1.5;
  const TuningResult result = tune(space, objective, options);
  bool hopeless = false;
  for (const Evaluation& evaluation : result.points)
    if (evaluation.median() > 2 * result.best_seconds && evaluation.seconds.size() == 1)
      hopeless = true;
  EXPECT_TRUE(hopeless);
  const auto best =
      std::find_if(result.points.begin(), result.points.end(),
                   [&](const Evaluation& evaluation) { return evaluation.point == result.best; });
  ASSERT_NE(best, result.points.end());
  EXPECT_GE(std::ssize(best->seconds), options.sampling.contender_samples);
}

TEST(Tuner, AFaultCostsOneEvaluationAndIsNeverChosen) {
  const SearchSpace& space = small_space();
  FakeObjective objective = objective_of(space);
  const size_t winner = point_of(space, "v:tile=8,bin=64,gather=c,stages=2,l1=off");
  objective.faults[winner] = Outcome::crashed;
  objective.faults[space.default_point()] = Outcome::wrong;
  const TuningResult result = tune(space, objective, exhaustive());
  ASSERT_TRUE(result.found);
  EXPECT_NE(result.best, winner);
  EXPECT_EQ(objective.calls[winner], 1);
  EXPECT_EQ(result.evaluations, static_cast<int64_t>(space.size()));
  EXPECT_TRUE(std::isinf(result.default_seconds));
}

TEST(Tuner, NothingIsFoundWhereAllFail) {
  const SearchSpace& space = small_space();
  for (const std::string& name : strategy_names()) {
    FakeObjective objective = objective_of(space);
    for (size_t point = 0; point < space.size(); ++point)
      objective.faults[point] = Outcome::compile_error;
    TuneOptions options;
    options.strategy = name;
    EXPECT_FALSE(tune(space, objective, options).found) << name;
  }
}

TEST(Tuner, TiesGoToFewerRegistersThenDeclaredOrder) {
  const SearchSpace space = grid_space({{"tile", {"1", "2", "4", "8"}}});
  FakeObjective objective([](size_t) { return 1e-3; });
  objective.registers = [](size_t point) { return point == 1 || point == 2 ? 32 : 64; };
  const TuningResult result = tune(space, objective, exhaustive());
  EXPECT_EQ(result.best, 1u);
  EXPECT_EQ(result.tie_set, (std::vector<size_t>{1, 2, 0, 3}));
}

TEST(Tuner, NoiseTiesASlowerPointButDoesNotMakeItThePick) {
  const SearchSpace space = grid_space({{"tile", {"1", "2"}}});
  FakeObjective objective([](size_t point) { return point == 0 ? 1e-3 : 1.01e-3; });
  objective.registers = [](size_t point) { return point == 0 ? 64 : 32; };
  int calls = 0;
  objective.noise = [&] { return 1 + 0.03 * (calls++ % 3 - 1); };
  const TuningResult result = tune(space, objective, exhaustive());
  EXPECT_EQ(result.tie_set, (std::vector<size_t>{0, 1}));
}

TEST(Tuner, TwoNoisyTuningsAgreeUpToTheirTieSets) {
  const SearchSpace& space = small_space();
  std::mt19937_64 random(1);
  std::normal_distribution<double> noise(1, 0.01);
  std::vector<TuningResult> results;
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    FakeObjective objective = objective_of(space);
    objective.noise = [&] { return noise(random); };
    TuneOptions options = exhaustive();
    options.strategy_options.seed = seed;
    results.push_back(tune(space, objective, options));
  }
  for (const TuningResult& a : results)
    for (const TuningResult& b : results)
      EXPECT_NE(std::find(b.tie_set.begin(), b.tie_set.end(), a.best), b.tie_set.end());
}

TEST(Tuner, WhatIsKnownIsNotMeasuredAgainAndTheEndIsTheSame) {
  const SearchSpace& space = small_space();
  TuneOptions options;
  options.budget.evaluations = 60;
  std::vector<Evaluation> all;
  options.on_evaluation = [&](const Evaluation& evaluation, bool playoff) {
    if (!playoff) all.push_back(evaluation);
  };
  FakeObjective undisturbed = objective_of(space);
  const TuningResult whole = tune(space, undisturbed, options);
  // Interrupted after 20 points: all that was measured of those.
  std::vector<Evaluation> known;
  std::map<size_t, size_t> index;
  for (const Evaluation& evaluation : all) {
    if (!index.contains(evaluation.point) && index.size() == 20) break;
    const auto [entry, added] = index.try_emplace(evaluation.point, known.size());
    if (added)
      known.push_back(evaluation);
    else
      known[entry->second].join(evaluation);
  }
  FakeObjective rest = objective_of(space);
  options.on_evaluation = {};
  const TuningResult resumed = tune(space, rest, options, known);
  EXPECT_EQ(resumed.best, whole.best);
  EXPECT_EQ(resumed.evaluations, whole.evaluations);
  for (size_t i = 0; i < known.size(); ++i)
    EXPECT_EQ(resumed.points[i].point, whole.points[i].point);
  int known_and_measured = 0;
  for (const Evaluation& evaluation : known)
    known_and_measured += rest.calls[evaluation.point] > 0 &&
                                  std::find(resumed.finalists.begin(), resumed.finalists.end(),
                                            evaluation.point) == resumed.finalists.end()
                              ? 1
                              : 0;
  EXPECT_EQ(known_and_measured, 0);
}

TEST(Tuner, ProgressNamesTheBestSoFar) {
  const SearchSpace& space = small_space();
  FakeObjective objective = objective_of(space);
  TuneOptions options = exhaustive();
  double last = 1;
  int64_t count = 0;
  bool playoff = false;
  options.on_progress = [&](const Progress& progress) {
    EXPECT_LE(progress.best_seconds, last);
    last = progress.best_seconds;
    EXPECT_GE(progress.evaluations, count);
    count = progress.evaluations;
    playoff = progress.playoff;
  };
  tune(space, objective, options);
  EXPECT_EQ(count, static_cast<int64_t>(space.size()));
  EXPECT_TRUE(playoff);
}

}  // namespace
}  // namespace alsbench
