// SPDX-License-Identifier: Apache-2.0
// The promises of docs/explanation/comparing.md, held to by simulation: of `ab` at most one false
// alarm in 1,000 case comparisons, of `compare` at most one in 1,000 comparisons of a whole suite,
// and at least 95 % of the effects that a machine can show found.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "tests/unit/judge/fake_machine.h"

namespace alsbench {
namespace {

constexpr NoiseModel kQuiet{};  // the most that medians of launches spread on an H200
constexpr NoiseModel kSpread{.common_spread = 0.005, .own_spread = 0.005, .drift = 0.01};  // 0.7 %
constexpr NoiseModel kBimodal{.modes_apart = 0.03};
constexpr NoiseModel kOutliers{.outlier_share = 0.05};
constexpr int kCases = 200;

struct Counts {
  int64_t comparisons = 0, slower = 0, faster = 0, undecided = 0, same = 0, environment = 0;
  int64_t found = 0, planted = 0, launches = 0;
};

Counts simulate(const NoiseModel& model, int trials, int planted, double factor) {
  Counts counts;
  for (int trial = 0; trial < trials; ++trial) {
    FakeMachine machine(model, kCases, 1000 + static_cast<uint64_t>(trial));
    machine.plant(planted, factor);
    TwoPhaseDesign design;
    design.seed = static_cast<uint64_t>(trial);
    const TwoPhaseResult result = machine.run(design);
    counts.launches += result.launches;
    for (const CaseComparison& c : result.comparison.cases) {
      if (std::stoi(c.name.substr(5)) < planted) {
        ++counts.planted;
        counts.found += c.verdict == (factor > 1 ? Verdict::slower : Verdict::faster) ? 1 : 0;
        continue;
      }
      ++counts.comparisons;
      counts.slower += c.verdict == Verdict::slower ? 1 : 0;
      counts.faster += c.verdict == Verdict::faster ? 1 : 0;
      counts.undecided += c.verdict == Verdict::undecided ? 1 : 0;
      counts.same += c.verdict == Verdict::same ? 1 : 0;
      counts.environment += c.verdict == Verdict::environment ? 1 : 0;
    }
  }
  std::cout << counts.comparisons << " equal cases: " << counts.same << " same, "
            << counts.undecided << " undecided, " << counts.environment << " environment, "
            << counts.slower << " slower, " << counts.faster << " faster; " << counts.found
            << " of " << counts.planted << " planted found; " << counts.launches / trials
            << " launches a trial\n";
  return counts;
}

void expect_no_false_alarms(const NoiseModel& model) {
  const Counts counts = simulate(model, 1000, 0, 1);
  ASSERT_EQ(counts.comparisons, 1000 * kCases);
  EXPECT_LE((counts.slower + counts.faster) * 1000, counts.comparisons);
  // Whatever is not the same is undecided, never anything else.
  EXPECT_EQ(counts.same + counts.undecided + counts.environment + counts.slower + counts.faster,
            counts.comparisons);
}

void expect_found(const NoiseModel& model, double factor) {
  const Counts counts = simulate(model, 40, 10, factor);
  ASSERT_EQ(counts.planted, 400);
  EXPECT_GE(counts.found, counts.planted * 95 / 100);
  EXPECT_LE((counts.slower + counts.faster) * 1000, counts.comparisons);
}

TEST(FalseAlarms, OnAQuietMachine) { expect_no_false_alarms(kQuiet); }
TEST(FalseAlarms, WithLaunchSpreadAndDrift) { expect_no_false_alarms(kSpread); }
TEST(FalseAlarms, WithBimodalLaunches) { expect_no_false_alarms(kBimodal); }
TEST(FalseAlarms, WithOutliers) { expect_no_false_alarms(kOutliers); }

TEST(Found, OnePercentOnAQuietMachine) { expect_found(kQuiet, 1.01); }
TEST(Found, OnePercentFasterOnAQuietMachine) { expect_found(kQuiet, 1 / 1.01); }
TEST(Found, FivePercentWithLaunchSpreadAndDrift) { expect_found(kSpread, 1.05); }
TEST(Found, FivePercentWithBimodalLaunches) { expect_found(kBimodal, 1.05); }
TEST(Found, FivePercentWithOutliers) { expect_found(kOutliers, 1.05); }

// Two runs that follow each other share no drift; of that the controls tell.
constexpr NoiseModel kSpreadWithoutDrift{.common_spread = 0.005, .own_spread = 0.005};
constexpr NoiseModel kNoisy{.own_spread = 0.02};  // shared cores of a CPU
constexpr NoiseModel kNoisiest{.own_spread = 0.06};
constexpr int kCasesOfCi = 22;  // of `ci` on a GPU

// Two results as `run --launches N` makes them, one after the other.
Comparison compare_runs(FakeMachine& machine, int launches) {
  const auto run = [&](Build build) {
    InputMerger merger;
    for (int launch = 0; launch < launches; ++launch)
      merger.add(machine.take({launch, Phase::screening, build}, {}));
    return std::move(merger.input());
  };
  const ComparisonInput base = run(Build::base);
  return compare(base, run(Build::test), {});
}

// How many of so many comparisons of a suite end with 1.
int regressions(const NoiseModel& model, int launches, int comparisons, int planted,
                double factor) {
  int found = 0;
  for (int trial = 0; trial < comparisons; ++trial) {
    FakeMachine machine(model, kCasesOfCi, 5000 + static_cast<uint64_t>(trial));
    machine.plant(planted, factor);
    found += conclusion_of(compare_runs(machine, launches)) == Conclusion::regression ? 1 : 0;
  }
  std::cout << found << " of " << comparisons << " comparisons of " << kCasesOfCi << " cases, "
            << launches << " launches a side, say regression\n";
  return found;
}

TEST(FalseAlarmsOfASuite, AreOneIn1000ComparisonsAtMost) {
  for (const NoiseModel& model :
       {kQuiet, kSpreadWithoutDrift, kBimodal, kOutliers, kNoisy, kNoisiest})
    for (const int launches : {8, 12}) EXPECT_LE(regressions(model, launches, 3000, 0, 1), 3);
}

TEST(FoundInASuite, OneSlowCase) {
  EXPECT_GE(regressions(kQuiet, 8, 200, 1, 1.05), 190);
  EXPECT_GE(regressions(kOutliers, 20, 200, 1, 1.05), 190);
  EXPECT_GE(regressions(kSpreadWithoutDrift, 12, 200, 1, 1.05), 190);
  EXPECT_GE(regressions(kNoisy, 12, 200, 1, 1.1), 190);
}

TEST(Undecided, WhatTooFewLaunchesCannotTell) {
  FakeMachine machine(kBimodal, 20, 1);
  machine.plant(10, 1.5);
  TwoPhaseDesign design;
  design.max_launches = 4;
  const TwoPhaseResult result = machine.run(design);
  for (const CaseComparison& c : result.comparison.cases) {
    EXPECT_TRUE(c.verdict == Verdict::undecided) << c.name;
    EXPECT_GT(c.launches_needed, 4) << c.name;
  }
  EXPECT_EQ(result.stop_reason, StopReason::launches);
  EXPECT_EQ(conclusion_of(result.comparison), Conclusion::unfit);
}

TEST(Order, IsAbbaInEveryBlockAndRepeatsWithTheSeed) {
  const auto order = [](uint64_t seed) {
    FakeMachine machine(kBimodal, 20, 5);
    TwoPhaseDesign design;
    design.seed = seed;
    machine.run(design);
    return machine.order;
  };
  const std::string first = order(1);
  EXPECT_EQ(first.size(), 2u * (4 + 24));
  bool both = false;
  for (size_t block = 0; block < first.size(); block += 4) {
    const std::string text = first.substr(block, 4);
    EXPECT_TRUE(text == "ABBA" || text == "BAAB") << text;
    both = both || text != first.substr(0, 4);
  }
  EXPECT_TRUE(both);
  EXPECT_EQ(order(1), first);
  EXPECT_NE(order(2), first);
}

TEST(Stopping, IsAtTheDecisionOrAtTheBudget) {
  TwoPhaseDesign design;
  FakeMachine quiet(kQuiet, 20, 1);
  quiet.plant(1, 1.05);
  const TwoPhaseResult decided = quiet.run(design);
  EXPECT_EQ(decided.stop_reason, StopReason::decided);
  EXPECT_LT(decided.launches, 2 * (4 + 24));
  EXPECT_EQ(conclusion_of(decided.comparison), Conclusion::regression);

  design.budget_seconds = 30;  // the fake launches take 1.2 s each
  FakeMachine noisy(kSpread, 20, 1);
  const TwoPhaseResult cut = noisy.run(design);
  EXPECT_EQ(cut.stop_reason, StopReason::budget);
  EXPECT_LE(cut.launches, 30);
  EXPECT_GE(cut.launches, 20);
}

TEST(Stopping, TheBudgetBoundsTheScreeningToo) {
  TwoPhaseDesign design;
  for (const auto& [budget, launches] : {std::pair(1.0, 4), std::pair(5.0, 8)}) {
    design.budget_seconds = budget;  // the fake launches take 1.2 s each
    FakeMachine machine(kQuiet, 20, 1);
    machine.plant(1, 1.05);
    const TwoPhaseResult cut = machine.run(design);
    EXPECT_EQ(cut.stop_reason, StopReason::budget);
    EXPECT_EQ(cut.launches, launches);
    EXPECT_GT(cut.suspects, 0);
    EXPECT_EQ(cut.confirmed, 0);
    EXPECT_EQ(conclusion_of(cut.comparison), Conclusion::unfit);
  }
}

TEST(Stopping, OnlyWhatTheConfirmationDecidedIsConfirmed) {
  FakeMachine quiet(kQuiet, 20, 1);
  quiet.plant(1, 1.05);
  const TwoPhaseResult decided = quiet.run({});
  EXPECT_EQ(decided.confirmed, decided.suspects);
  TwoPhaseDesign design;
  design.budget_seconds = 30;
  FakeMachine noisy(kSpread, 20, 1);
  const TwoPhaseResult cut = noisy.run(design);
  const auto open =
      std::count_if(cut.comparison.cases.begin(), cut.comparison.cases.end(),
                    [](const CaseComparison& c) { return c.verdict == Verdict::undecided; });
  EXPECT_GT(open, 0);
  EXPECT_EQ(cut.confirmed, cut.suspects - open);
}

TEST(Confirmation, UsesFreshLaunchesOnly) {
  // A case that is slow in the screening alone is not slower.
  FakeMachine machine({.own_spread = 0.0005}, 5, 1);
  machine.plant(1, 1.2);
  int64_t launches = 0;
  const TakeLaunch take = [&](const LaunchPlace& place, const std::vector<std::string>& names) {
    if (++launches > 8) machine.plant(0, 1);
    return machine.take(place, names);
  };
  double seconds = 0;
  const TwoPhaseResult result = run_two_phases({}, take, [&] { return seconds; });
  EXPECT_EQ(result.suspects, 1);
  for (const CaseComparison& c : result.comparison.cases) EXPECT_EQ(c.verdict, Verdict::same);
}

// Takes launches in which one side measures the suspects no more once they are confirmed.
TwoPhaseResult without_suspects(Build side) {
  FakeMachine machine({.own_spread = 0.0005}, 5, 1);
  machine.plant(1, 1.05);
  const TakeLaunch take = [&](const LaunchPlace& place, const std::vector<std::string>& names) {
    ComparisonInput input = machine.take(place, names);
    if (place.phase == Phase::confirmation && place.build == side) input.cases.clear();
    return input;
  };
  return run_two_phases({}, take, [] { return 0.0; });
}

TEST(Confirmation, SuspectsThatTheBaseMeasuresNoMoreStayUndecided) {
  const TwoPhaseResult result = without_suspects(Build::base);
  EXPECT_EQ(result.stop_reason, StopReason::vanished);
  EXPECT_EQ(std::pair(result.suspects, result.confirmed), std::pair(int64_t{1}, int64_t{0}));
  const CaseComparison& suspect =
      *std::ranges::find(result.comparison.cases, std::string("case 0"), &CaseComparison::name);
  EXPECT_EQ(suspect.verdict, Verdict::undecided);
  EXPECT_EQ(suspect.reason, "seen to change in the screening; the base did not measure it again");
  EXPECT_EQ(conclusion_of(result.comparison), Conclusion::unfit);
}

TEST(Confirmation, SuspectsThatTheTestSideMeasuresNoMoreAreMissing) {
  EXPECT_EQ(conclusion_of(without_suspects(Build::test).comparison), Conclusion::failed);
}

TEST(Confirmation, LeavesOutWhatHasTheSameCode) {
  FakeMachine machine({.own_spread = 0.0005}, 5, 1);
  machine.plant(3, 1.05);
  const TakeLaunch take = [&](const LaunchPlace& place, const std::vector<std::string>& names) {
    ComparisonInput input = machine.take(place, names);
    for (ComparisonCase& c : input.cases) {
      const bool changed = c.name == "case 2" && place.build == Build::test;
      KernelFacts kernel;
      kernel.code_hash = changed ? "new" : "old";
      c.kernels = {kernel};
    }
    return input;
  };
  double seconds = 0;
  const TwoPhaseResult result = run_two_phases({}, take, [&] { return seconds; });
  EXPECT_EQ(result.suspects, 1);
  for (const CaseComparison& c : result.comparison.cases) {
    const bool planted = c.name == "case 0" || c.name == "case 1";
    EXPECT_EQ(c.verdict, c.name == "case 2" ? Verdict::slower
                         : planted          ? Verdict::undecided
                                            : Verdict::same)
        << c.name;
  }
}

}  // namespace
}  // namespace alsbench
