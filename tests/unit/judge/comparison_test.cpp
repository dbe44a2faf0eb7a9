// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/comparison.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "base/error.h"
#include "harness/judge/report.h"
#include "harness/judge/self_comparison.h"
#include "harness/record/comparison_table.h"
#include "tests/unit/judge/sides.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

Comparison judge(std::vector<ComparisonCase> base, std::vector<ComparisonCase> test,
                 const Rules& rules = {}) {
  return compare(a_side("base.json", std::move(base)), a_side("test.json", std::move(test)), rules);
}

// The verdict of one case of 1 ms among others that do not change.
CaseComparison judge_one(const ComparisonCase& base, const ComparisonCase& test,
                         const Rules& rules = {}) {
  return judge({base}, {test}, rules).cases.at(0);
}

TEST(Compare, TellsSameFasterAndSlower) {
  const auto base = a_case("k", launches_around(1e-3, 12));
  EXPECT_EQ(judge_one(base, base).verdict, Verdict::same);
  const auto slower = judge_one(base, a_case("k", launches_around(1.02e-3, 12)));
  EXPECT_EQ(slower.verdict, Verdict::slower);
  EXPECT_TRUE(slower.regressed());
  EXPECT_NEAR(slower.ratio, 1.02, 1e-4);
  EXPECT_GT(slower.ratio_low, 1.019);
  EXPECT_LT(slower.ratio_high, 1.021);
  EXPECT_EQ(judge_one(base, a_case("k", launches_around(0.9e-3, 12))).verdict, Verdict::faster);
}

TEST(Compare, AChangeInsideTheBoundIsNoRegressionHoweverCertain) {
  const auto base = a_case("k", launches_around(1e-3, 12, 1e-5));
  const auto c = judge_one(base, a_case("k", launches_around(1.003e-3, 12, 1e-5)));
  EXPECT_LT(c.adjusted_p, 1e-6);
  EXPECT_EQ(c.verdict, Verdict::same);
}

TEST(Compare, AnIntervalAcrossTheBoundIsUndecidedAndForeseesTheLaunches) {
  const auto base = a_case("k", launches_around(1e-3, 8, 0.02));
  const auto c = judge_one(base, a_case("k", launches_around(1.02e-3, 8, 0.02)));
  EXPECT_EQ(c.verdict, Verdict::undecided);
  EXPECT_GT(c.launches_needed, 8);
}

TEST(Compare, ADesignThatCannotReachItsThresholdNeverSaysSlower) {
  for (const int launches : {1, 2, 4}) {
    const auto c = judge_one(a_case("k", launches_around(1e-3, launches)),
                             a_case("k", launches_around(2e-3, launches)));
    EXPECT_EQ(c.verdict, Verdict::undecided);
    EXPECT_EQ(c.launches_needed, 5);
    EXPECT_TRUE(contains(c.reason, "5 + 5 can"));
  }
}

TEST(Compare, ANoteNamesTheAlphaThatWasUsed) {
  for (const double alpha : {0.001, 0.01, 0.2}) {
    Rules rules;
    rules.alpha = alpha;
    const auto c = judge_one(a_case("k", launches_around(1e-3, 1)),
                             a_case("k", launches_around(2e-3, 1)), rules);
    const std::string said = fmt::format(" alpha {} among 1 cases", alpha);
    EXPECT_TRUE(contains(c.reason, said));
  }
}

TEST(Compare, MoreCasesTakeMoreLaunches) {
  std::vector<ComparisonCase> base, test;
  for (int i = 0; i < 200; ++i) {
    base.push_back(a_case(std::to_string(i), launches_around(1e-3, 8)));
    test.push_back(a_case(std::to_string(i), launches_around(i == 7 ? 2e-3 : 1e-3, 8)));
  }
  const Comparison comparison = judge(base, test);
  EXPECT_EQ(comparison.cases[0].name, "7/cold");  // the largest effect first
  EXPECT_EQ(comparison.cases[0].verdict, Verdict::undecided);
  EXPECT_EQ(comparison.cases[0].launches_needed, 9);
  // One of 200 may be undecided, but not for want of launches: it could never have been found.
  EXPECT_EQ(conclusion_of(comparison), Conclusion::unfit);
  EXPECT_EQ(reasons_unfit(comparison),
            std::vector<std::string>{"1 of 200 cases have too few launches to be found slower"});
  Rules rules;
  rules.max_undecided = 1;
  EXPECT_EQ(conclusion_of(judge(base, test, rules)), Conclusion::clean);
}

// `slow` of 22 cases became slower by a fifth, with `launches` a side.
Comparison judge_22_cases(int slow, int launches) {
  std::vector<ComparisonCase> base, test;
  for (int i = 0; i < 22; ++i) {
    base.push_back(a_case(std::to_string(i), launches_around(1e-3, launches), "abc"));
    test.push_back(
        a_case(std::to_string(i), launches_around(i < slow ? 1.2e-3 : 1e-3, launches), "def"));
  }
  return judge(base, test);
}

TEST(Compare, TheAdjustedPAloneSaysWhetherThereAreEnoughLaunches) {
  EXPECT_EQ(conclusion_of(judge_22_cases(1, 6)), Conclusion::unfit);
  EXPECT_EQ(conclusion_of(judge_22_cases(6, 6)), Conclusion::regression);  // adjusted p 0.0079
  EXPECT_EQ(judge_22_cases(1, 6).cases[0].launches_needed, 8);
  const Comparison one = judge_22_cases(1, 8);
  EXPECT_EQ(conclusion_of(one), Conclusion::regression);
  EXPECT_EQ(one.cases[0].verdict, Verdict::slower);
  EXPECT_NEAR(one.cases[0].adjusted_p, 0.0034, 0.00005);
}

TEST(Compare, AnEffectThatIsNotClearOfTheNoiseIsUndecided) {
  const auto one_of_22 = [](double seconds) {
    std::vector<ComparisonCase> cases;
    for (int i = 0; i < 22; ++i)
      cases.push_back(a_case(std::to_string(i), launches_around(i == 0 ? seconds : 1e-3, 8, 0.02)));
    return cases;
  };
  const auto slowest = [&](double seconds) { return judge(one_of_22(1e-3), one_of_22(seconds)); };
  const CaseComparison near = slowest(1.0405e-3).cases[0];  // the sides do not overlap
  EXPECT_LT(near.adjusted_p, 0.01);
  EXPECT_GT(near.ratio_low, 1.005);
  EXPECT_EQ(near.verdict, Verdict::undecided);
  EXPECT_TRUE(near.reason.starts_with("the effect is beyond the bound by less")) << near.reason;
  EXPECT_GT(near.launches_needed, 8);
  EXPECT_EQ(slowest(1.06e-3).cases[0].verdict, Verdict::slower);
}

TEST(Compare, FindingsComeFirst) {
  const auto ok = [](const char* name) { return a_case(name, launches_around(1e-3, 12)); };
  const Comparison comparison =
      judge({ok("same"), ok("gone"), ok("crash"), ok("nan"), ok("skip"),
             a_fault("mended", Outcome::hung)},
            {ok("same"), ok("fresh"), a_fault("crash", Outcome::crashed),
             a_fault("nan", Outcome::nan), a_fault("skip", Outcome::skipped), ok("mended")});
  std::vector<std::pair<std::string, std::string>> found;
  for (const CaseComparison& c : comparison.cases)
    found.emplace_back(c.name, std::string(name_of(c.verdict)));
  EXPECT_EQ(found, (std::vector<std::pair<std::string, std::string>>{{"crash/cold", "failed"},
                                                                     {"nan/cold", "wrong"},
                                                                     {"gone/cold", "missing"},
                                                                     {"skip/cold", "missing"},
                                                                     {"fresh/cold", "new"},
                                                                     {"mended/cold", "new"},
                                                                     {"same/cold", "same"}}));
  EXPECT_EQ(comparison.cases[0].reason, "crashed: the reason");
  EXPECT_EQ(conclusion_of(comparison), Conclusion::failed);
}

TEST(Compare, NewCasesAreNoFault) {
  const auto ok = [](const char* name) { return a_case(name, launches_around(1e-3, 12)); };
  EXPECT_EQ(conclusion_of(judge({ok("a")}, {ok("a"), ok("b")})), Conclusion::clean);
}

TEST(Compare, TheSameCodeIsNeverSlower) {
  const auto base = a_case("k", launches_around(1e-3, 12), "abc");
  const auto test = a_case("k", launches_around(1.05e-3, 12), "abc");
  const Comparison comparison = judge({base}, {test});
  EXPECT_EQ(comparison.cases[0].code, SameCode::same);
  EXPECT_EQ(comparison.cases[0].verdict, Verdict::environment);
  EXPECT_EQ(comparison.cases[0].time_verdict, Verdict::slower);
  EXPECT_EQ(conclusion_of(comparison), Conclusion::unfit);
  auto other_shape = test;
  other_shape.kernels[0].grid = 200;
  EXPECT_EQ(judge_one(base, other_shape).verdict, Verdict::slower);
  EXPECT_EQ(judge_one(base, a_case("k", launches_around(1e-3, 12), "def")).code, SameCode::changed);
}

TEST(Compare, AMovedControlMakesTheMachineUnfitAndNotTheCodeSlower) {
  const auto base = a_case("k", launches_around(1e-3, 12));
  const auto test = a_case("k", launches_around(1.05e-3, 12));
  const Comparison comparison = judge(
      {base, a_control("x", launches_around(1e-4, 12)), a_control("y", launches_around(9e-5, 12))},
      {test, a_control("x", launches_around(1.04e-4, 12)),
       a_control("y", launches_around(9.36e-5, 12))});
  ASSERT_EQ(comparison.controls.size(), 1u);
  EXPECT_NEAR(comparison.controls[0].ratio, 1.04, 0.002);
  EXPECT_EQ(comparison.cases.size(), 1u);
  EXPECT_EQ(comparison.cases[0].verdict, Verdict::environment);
  EXPECT_EQ(conclusion_of(comparison), Conclusion::unfit);
  const std::vector<std::string> reasons = reasons_unfit(comparison);
  ASSERT_FALSE(reasons.empty());
  EXPECT_TRUE(contains(reasons.back(), "is 4.0 % slower: the machine was not quiet"));
}

TEST(Compare, AControlThatMovedTheOtherWayExcusesNothing) {
  const auto control = [](double factor) { return a_control("x", launches_around(factor, 12)); };
  const auto base = a_case("k", launches_around(1e-3, 12));
  const Comparison slower =
      judge({base, control(1e-4)}, {a_case("k", launches_around(1.03e-3, 12)), control(0.97e-4)});
  EXPECT_EQ(slower.controls[0].verdict, Verdict::faster);
  EXPECT_EQ(slower.cases[0].verdict, Verdict::slower);
  EXPECT_EQ(conclusion_of(slower), Conclusion::regression);
  const Comparison faster =
      judge({base, control(1e-4)}, {a_case("k", launches_around(0.97e-3, 12)), control(1.03e-4)});
  EXPECT_EQ(faster.cases[0].verdict, Verdict::faster);
  EXPECT_EQ(conclusion_of(faster), Conclusion::unfit);  // who knows what it did to the others
  const Comparison alike =
      judge({base, control(1e-4)}, {a_case("k", launches_around(0.97e-3, 12)), control(0.97e-4)});
  EXPECT_EQ(alike.cases[0].verdict, Verdict::environment);
  EXPECT_EQ(alike.cases[0].reason.find("faster, but so is the control copy/memcpy/cuda/cold by -3"),
            0u)
      << alike.cases[0].reason;
}

TEST(Compare, AControlVouchesForItsOwnDeviceOnly) {
  auto base = a_case("k", launches_around(1e-3, 12)),
       test = a_case("k", launches_around(1.05e-3, 12));
  base.device = test.device = "cpu";
  const Comparison comparison = judge({base, a_control("x", launches_around(1e-4, 12))},
                                      {test, a_control("x", launches_around(1.04e-4, 12))});
  EXPECT_EQ(comparison.cases[0].verdict, Verdict::slower);
}

TEST(Compare, DifferentEnvironmentsAreRefusedByName) {
  auto base = a_side("base.json", {a_case("k", launches_around(1e-3, 12))});
  auto test = a_side("test.json", {a_case("k", launches_around(1e-3, 12))});
  test.environment[0].value = "NVIDIA A100";
  EXPECT_TRUE(contains(thrown_by<BaselineError>([&] { compare(base, test, {}); }),
                       "base.json and test.json are not comparable: other hardware or driver: "
                       "device 0: NVIDIA H200 -> NVIDIA A100; "));
  Rules rules;
  rules.cross_environment = true;
  const Comparison comparison = compare(base, test, rules);
  EXPECT_EQ(comparison.differences.size(), 1u);
  EXPECT_TRUE(comparison.cases[0].cross_environment);
  EXPECT_TRUE(contains(comparison_table(comparison).rows[0][0], "cross-env"));
}

TEST(Compare, DevicesThatDifferAlikeAreOneDifference) {
  auto base = a_side("base.json", {a_case("k", launches_around(1e-3, 12))});
  auto test = base;
  test.source = "test.json";
  for (const char* device : {"device 0", "device 1", "device 2"}) {
    base.environment.push_back({std::string(device) + " driver", "580.1"});
    test.environment.push_back({std::string(device) + " driver", "570.2"});
  }
  EXPECT_TRUE(contains(thrown_by<BaselineError>([&] { compare(base, test, {}); }),
                       "driver: driver of 3 devices: 580.1 -> 570.2; --cross-env"));
  test.environment.back().value = "560.3";
  EXPECT_TRUE(contains(thrown_by<BaselineError>([&] { compare(base, test, {}); }),
                       "driver of 2 devices: 580.1 -> 570.2; device 2 driver: 580.1 -> 560.3;"));
}

TEST(Compare, ADeviceOnOneSideOnlyIsADifferenceButNotBetweenFormats) {
  auto base = a_side("a", {a_case("k", launches_around(1e-3, 12))});
  auto test = base;
  test.environment.erase(test.environment.begin());
  EXPECT_THROW(compare(base, test, {}), BaselineError);
  test.format = "google-benchmark";
  EXPECT_NO_THROW(compare(base, test, {}));
}

TEST(Compare, CasesOfAnotherToolHaveNotVanished) {
  auto base = a_side("a", {a_case("k", launches_around(1e-3, 12))});
  auto test = a_side("b", {a_case("l", launches_around(1e-3, 12))});
  EXPECT_EQ(conclusion_of(compare(base, test, {})), Conclusion::failed) << "of one tool it has";
  base.format = "google-benchmark";
  test.format = "nvbench";
  EXPECT_TRUE(contains(thrown_by<BaselineError>([&] { compare(base, test, {}); }),
                       "not comparable: changed method: file format: google-benchmark -> "
                       "nvbench"));
  Rules rules;
  rules.cross_environment = true;
  EXPECT_EQ(stories_of(compare(base, test, rules)).at(0).kind, StoryKind::method);
}

TEST(Compare, SaysHowManyMediansOtherWorkDisturbed) {
  ComparisonCase busy = a_case("k", launches_around(1e-3, 12));
  busy.launches[3].disturbed = busy.launches[7].disturbed = true;
  const Comparison comparison = judge({a_case("k", launches_around(1e-3, 12))}, {busy});
  ASSERT_EQ(comparison.disturbed.size(), 1u);
  EXPECT_TRUE(comparison.disturbed[0].starts_with("2 of 12 medians of "));
  EXPECT_EQ(comparison.cases[0].base_disturbed, 0);
  EXPECT_EQ(comparison.cases[0].test_disturbed, 2);
}

// The cell of a table's first row in the column of this name.
std::string cell(const Table& table, const std::string& column) {
  const auto found = std::find(table.header.begin(), table.header.end(), column);
  EXPECT_NE(found, table.header.end()) << column;
  return table.rows.at(0).at(static_cast<size_t>(found - table.header.begin()));
}

TEST(Compare, ShowsTimesBesideTheEffectAndDisturbedOnesRoughly) {
  const ComparisonCase base = a_case("k", launches_around(1.2345678e-3, 12));
  ComparisonCase test = a_case("k", launches_around(1.5678912e-3, 12));
  const Table quiet = comparison_table(judge({base}, {test}));
  EXPECT_EQ(cell(quiet, "base ms"), "1.235");
  EXPECT_EQ(cell(quiet, "test ms"), "1.568");
  EXPECT_EQ(cell(quiet, "effect %"), "+27.00");
  test.launches[0].disturbed = true;
  const Table busy = comparison_table(judge({base}, {test}));
  EXPECT_EQ(cell(busy, "base ms"), "1.235");
  EXPECT_EQ(cell(busy, "test ms"), "1.6!");
  EXPECT_EQ(cell(busy, "effect %"), "+27");
}

TEST(Compare, OneLaunchASideHasAPlainDifference) {
  const Table table = comparison_table(judge({a_case("k", {{1e-3}})}, {a_case("k", {{2e-3}})}));
  EXPECT_EQ(cell(table, "verdict"), "undecided");
  EXPECT_EQ(cell(table, "effect %"), "+100.00");
  EXPECT_EQ(cell(table, "interval %"), "");
  EXPECT_TRUE(cell(table, "note").starts_with("a plain difference: 1 + 1 launches cannot tell"))
      << cell(table, "note");
}

TEST(Compare, ComparingNothingIsNeverClean) {
  EXPECT_THROW(judge({a_fault("k", Outcome::crashed)}, {a_fault("k", Outcome::crashed)}),
               BaselineError);
  EXPECT_EQ(conclusion_of(judge({a_case("a", launches_around(1e-3, 12))},
                                {a_case("b", launches_around(1e-3, 12))})),
            Conclusion::failed);
  EXPECT_EQ(conclusion_of(Comparison()), Conclusion::unfit);
  EXPECT_EQ(reasons_unfit(Comparison()),
            std::vector<std::string>{"no case has times on both sides"});
}

TEST(Compare, TooMuchUndecidedIsNoCleanBill) {
  const auto base = a_case("k", launches_around(1e-3, 8, 0.05));
  Rules rules;
  EXPECT_EQ(conclusion_of(judge({base}, {base}, rules)), Conclusion::unfit);
  EXPECT_EQ(reasons_unfit(judge({base}, {base}, rules)),
            std::vector<std::string>{
                "1 of 1 cases are undecided, more than the 10 % of --max-undecided"});
  rules.max_undecided = 1;
  EXPECT_EQ(conclusion_of(judge({base}, {base}, rules)), Conclusion::clean);
}

TEST(Compare, WhatIsUndecidedOfTheSameCodeIsNothingToDecide) {
  const auto base = a_case("k", launches_around(1e-3, 8, 0.05), "abc");
  const Comparison comparison = judge({base}, {base});
  EXPECT_EQ(comparison.cases[0].verdict, Verdict::undecided);
  EXPECT_EQ(conclusion_of(comparison), Conclusion::clean);
  const auto other = a_case("k", launches_around(1e-3, 8, 0.05), "def");
  EXPECT_EQ(conclusion_of(judge({base}, {other})), Conclusion::unfit);
}

TEST(Gates, TestRmseIsHeldToItsOwnBound) {
  auto base = a_case("train", launches_around(1, 12)), test = base;
  base.role = test.role = CaseRole::training;
  base.metric = test.metric = "rmse";
  base.metrics = {0.8238};
  test.metrics = {0.8240};
  EXPECT_FALSE(judge_one(base, test).regressed());
  test.metrics = {0.8270};
  EXPECT_TRUE(judge_one(base, test).regressed());
  EXPECT_EQ(conclusion_of(judge({base}, {test})), Conclusion::regression);
}

TEST(Gates, LostOccupancyAndLocalMemoryAreRegressionsUnlessItIsFaster) {
  const auto base = a_case("k", launches_around(1e-3, 12), "abc");
  auto test = a_case("k", launches_around(1e-3, 12), "def");
  test.kernels[0].resources.registers = 80;  // these cost nothing
  test.kernels[0].resources.shared_bytes = 2048;
  EXPECT_FALSE(judge_one(base, test).regressed());
  EXPECT_EQ(judge_one(base, test).figures.size(), 2u);
  test.kernels[0].resources.occupancy = 0.375;
  EXPECT_TRUE(judge_one(base, test).regressed());
  auto spills = a_case("k", launches_around(1e-3, 12), "def");
  spills.kernels[0].resources.local_bytes = 8;
  EXPECT_TRUE(judge_one(base, spills).regressed());
  spills.launches = launches_around(0.9e-3, 12);
  EXPECT_FALSE(judge_one(base, spills).regressed());
}

TEST(Gates, MoreDeviceMemoryIsARegressionAndFasterNoExcuse) {
  auto base = a_case("k", launches_around(1e-3, 12)), test = base;
  base.peak_device_bytes = 100'000'000;
  test.peak_device_bytes = 101'000'000;
  EXPECT_FALSE(judge_one(base, test).regressed());
  test.peak_device_bytes = 101'000'001;
  EXPECT_TRUE(judge_one(base, test).regressed());
  EXPECT_EQ(conclusion_of(judge({base}, {test})), Conclusion::regression);
  Rules rules;
  rules.memory_bound = 0.02;
  EXPECT_FALSE(judge_one(base, test, rules).regressed());
  test.launches = launches_around(0.9e-3, 12);
  EXPECT_TRUE(judge_one(base, test).regressed());
  test.peak_device_bytes = 50'000'000;
  EXPECT_FALSE(judge_one(base, test).regressed());
}

TEST(Gates, MemoryThatASideDoesNotKnowIsNotComparedAndItIsSaid) {
  auto base = a_case("k", launches_around(1e-3, 12)), test = base;
  test.peak_device_bytes = 1000;
  const Comparison comparison = judge({base}, {test});
  EXPECT_EQ(comparison.not_compared,
            std::vector<std::string>{"peak device memory, missing in 1 case of base.json"});
  EXPECT_TRUE(comparison.cases[0].figures.empty());
  base.peak_device_bytes = 1000;
  EXPECT_TRUE(judge({base}, {test}).not_compared.empty());
}

Rules one_after_the_other() {
  Rules rules;
  rules.in_turn = false;
  return rules;
}

TEST(OneRunAfterTheOther, WithoutControlsADriftOfAFewPercentIsPossible) {
  const auto base = a_side("b", {a_case("k", launches_around(1e-3, 12))});
  const auto judged = [&](double factor) {
    const auto test = a_side("t", {a_case("k", launches_around(1e-3 * factor, 12))});
    return compare(base, test, one_after_the_other()).cases[0];
  };
  EXPECT_EQ(judged(1.02).verdict, Verdict::undecided);
  EXPECT_TRUE(contains(judged(1.02).reason, "measure them in turn"));
  EXPECT_EQ(judged(0.98).verdict, Verdict::undecided);
  EXPECT_EQ(judged(1.08).verdict, Verdict::slower);
  EXPECT_EQ(judged(0.92).verdict, Verdict::faster);
  EXPECT_EQ(judged(1).verdict, Verdict::same);
}

TEST(OneRunAfterTheOther, ControlsSayHowFarTheMachineDrifted) {
  const auto side = [](double seconds, double spread) {
    return a_side("s", {a_case("k", launches_around(seconds, 12)),
                        a_control("k", launches_around(1e-3, 12, spread))});
  };
  const auto verdict = [&](double factor, double spread) {
    return compare(side(1e-3, spread), side(1e-3 * factor, spread), one_after_the_other())
        .cases[0]
        .verdict;
  };
  EXPECT_EQ(verdict(1.02, 0.0005), Verdict::slower) << "quiet controls vouch for it";
  EXPECT_EQ(verdict(1.02, 0.03), Verdict::undecided) << "noisy ones do not";
  EXPECT_EQ(verdict(1.2, 0.03), Verdict::slower);
}

TEST(OneRunAfterTheOther, TheTimesOfSeveralFilesSayThatTheyWereTakenInTurn) {
  ComparisonInput base, test;
  base.times_utc = {"1", "4", "5"};
  test.times_utc = {"2", "3", "6"};
  EXPECT_TRUE(measured_in_turn(base, test));
  test.times_utc = {"6", "7", "8"};
  EXPECT_FALSE(measured_in_turn(base, test));
  EXPECT_FALSE(measured_in_turn({}, {}));
  base.times_utc = {"1"};
  test.times_utc = {"2"};
  EXPECT_FALSE(measured_in_turn(base, test));
}

TEST(Quantities, OfARateMoreIsBetter) {
  const auto side = [](double rate) {
    auto c = a_case("k", launches_around(1 / rate, 12));
    c.quantity = {"MB/s", true};
    return a_side("s", {c});
  };
  const auto c = compare(side(100), side(80), {}).cases[0];
  EXPECT_EQ(c.verdict, Verdict::slower);
  EXPECT_NEAR(c.ratio, 1.25, 1e-3);
  EXPECT_NEAR(c.base_value, 100, 0.1);
  EXPECT_NEAR(c.test_value, 80, 0.1);
  EXPECT_EQ(c.base_seconds, 0);
}

TEST(Quantities, OtherUnitsAreRefused) {
  auto bytes = a_case("k", launches_around(1, 12));
  bytes.quantity = {"byte", false};
  const auto seconds = a_side("b", {a_case("k", launches_around(1, 12))});
  EXPECT_THROW(compare(seconds, a_side("t", {bytes}), {}), BaselineError);
  InputMerger merger;
  merger.add(seconds);
  EXPECT_THROW(merger.add(a_side("2", {bytes})), UsageError);
}

TEST(Merging, AddsLaunchesAndKeepsFailures) {
  InputMerger merger;
  auto larger = a_case("k", {{1e-3, 5}});
  larger.peak_device_bytes = 1000;
  merger.add(a_side("1", {larger, a_case("l", {{1e-3, 5}})}));
  auto failing = a_case("l", {});
  failing.outcome = Outcome::crashed;
  merger.add(a_side("2", {a_case("k", {{2e-3, 5}}), failing, a_case("m", {{1e-3, 5}})}));
  const auto& cases = merger.input().cases;
  ASSERT_EQ(cases.size(), 3u);
  EXPECT_EQ(cases[0].launches.size(), 2u);
  EXPECT_EQ(cases[0].peak_device_bytes, 1000);
  EXPECT_EQ(cases[1].outcome, Outcome::crashed);
  auto without_device = a_side("3", {});
  without_device.environment.erase(without_device.environment.begin());
  EXPECT_NO_THROW(merger.add(without_device));
  auto elsewhere = a_side("4", {});
  elsewhere.environment[0].value = "other";
  EXPECT_THROW(merger.add(elsewhere), UsageError);
}

// A side of several files, a launch each.
ComparisonInput merged(const std::vector<ComparisonCase>& files) {
  InputMerger merger;
  for (const ComparisonCase& c : files) merger.add(a_side("side", {c}));
  return merger.input();
}

// Twelve launches of 1 ms times `factor`, one of which became `fault`.
ComparisonInput with_fault(const ComparisonCase& fault, size_t place, double factor = 1) {
  std::vector<ComparisonCase> files;
  for (const Launch& launch : launches_around(1e-3 * factor, 12))
    files.push_back(a_case("k", {launch}));
  files[place] = fault;
  return merged(files);
}

TEST(Merging, ALaunchOfTheTestSideThatFailedIsAFaultWhereverItStands) {
  for (const Outcome outcome : {Outcome::crashed, Outcome::wrong, Outcome::hung})
    for (const size_t place : {0u, 5u, 11u}) {
      const ComparisonCase fault = a_fault("k", outcome);
      const ComparisonInput good = with_fault(a_case("k", launches_around(1e-3, 1)), 0);
      const Comparison comparison = compare(good, with_fault(fault, place), {});
      EXPECT_EQ(conclusion_of(comparison), Conclusion::failed) << name_of(outcome) << place;
      ASSERT_EQ(comparison.cases.size(), 1u);
      EXPECT_TRUE(comparison.cases[0].reason.ends_with("the reason"));
    }
}

TEST(Merging, WhatTheBaseFailedOrSkippedInOneLaunchHidesNoSlowdown) {
  for (const Outcome outcome : {Outcome::crashed, Outcome::skipped})
    for (const bool of_other_tool : {false, true})  // their records have the names of cases
      for (const size_t place : {0u, 5u, 11u}) {
        ComparisonCase fault = a_fault("k", outcome);
        if (of_other_tool) fault.name += "/cold";
        const Comparison comparison = compare(
            with_fault(fault, place), merged({a_case("k", launches_around(1.2e-3, 12))}), {});
        EXPECT_EQ(conclusion_of(comparison), Conclusion::regression) << name_of(outcome) << place;
        ASSERT_EQ(comparison.cases.size(), 1u);
        EXPECT_EQ(comparison.cases[0].base_launches, 11);
      }
}

TEST(Merging, WhatTheTestSideSkippedInOneLaunchHidesNoSlowdown) {
  ComparisonCase skip = a_fault("k", Outcome::skipped);
  skip.name += "/cold";
  for (const size_t place : {0u, 5u, 11u}) {
    const ComparisonInput base = merged({a_case("k", launches_around(1e-3, 12), "abc")});
    EXPECT_EQ(conclusion_of(compare(base, with_fault(skip, place, 1.2), {})),
              Conclusion::regression);
  }
}

TEST(Merging, TheFactsAreThoseOfALaunchThatWasMeasured) {
  const auto measured = a_case("k", launches_around(1e-3, 6), "abc");
  for (const Outcome outcome : {Outcome::crashed, Outcome::skipped}) {
    ComparisonCase fault = a_fault("k", outcome);
    fault.name += "/cold";
    const ComparisonInput input = merged({fault, measured});
    EXPECT_EQ(input.cases.at(0).kernels.size(), 1u);
    EXPECT_EQ(input.cases.at(0).outcome,
              outcome == Outcome::skipped ? Outcome::ok : Outcome::crashed);
  }
}

TEST(Compare, ANewCaseThatFailsIsAFaultOfAnyFormat) {
  const auto known = a_case("k", launches_around(1e-3, 12));
  for (const bool of_other_tool : {false, true})
    for (const bool skipped_before : {false, true}) {
      ComparisonCase fresh = a_fault("new", Outcome::crashed);
      if (of_other_tool) fresh.record = "";
      std::vector<ComparisonCase> base{known};
      if (skipped_before) base.push_back(a_fault("new", Outcome::skipped));
      EXPECT_EQ(conclusion_of(judge(base, {known, fresh})), Conclusion::failed);
    }
}

TEST(Compare, ACommandThatNowEndsInAnotherWayHasFailed) {
  const auto ended = [](double seconds, std::set<std::string> ends) {
    auto c = a_case("make", launches_around(seconds, 12));
    c.ends = std::move(ends);
    return c;
  };
  const auto good = ended(1, {kGoodEnd}), bad = ended(0.1, {kGoodEnd, "exit code 1"});
  const Comparison comparison = judge({good}, {bad});
  EXPECT_EQ(conclusion_of(comparison), Conclusion::failed);
  EXPECT_EQ(comparison.cases[0].reason,
            "crashed: runs ended with exit code 1, and none of the base did");
  EXPECT_EQ(judge_one(bad, bad).verdict, Verdict::same);  // as grep does that finds nothing
  EXPECT_EQ(judge_one(bad, good).verdict, Verdict::slower);
  EXPECT_EQ(judge_one(ended(0.1, {}), bad).verdict, Verdict::same);  // the base's file says nothing
}

TEST(Compare, AnEffectOfExactlyTheBoundLiesWithinIt) {
  Rules rules;
  for (const double bound : {0.005, 0.01, 0.03})
    for (const double seconds : {1e-3, 3e-3, 0.013, 0.7, 123.456}) {
      rules.bound = bound;
      const auto base = a_case("k", launches_around(seconds, 12, 0));
      const auto test = a_case("k", launches_around(seconds * (1 + bound), 12, 0));
      EXPECT_EQ(judge_one(base, test, rules).verdict, Verdict::same) << bound << ' ' << seconds;
      EXPECT_EQ(judge_one(test, base, rules).verdict, Verdict::same) << bound << ' ' << seconds;
      const auto more = a_case("k", launches_around(seconds * (1 + bound + 1e-6), 12, 0));
      EXPECT_EQ(judge_one(base, more, rules).verdict, Verdict::slower) << bound << ' ' << seconds;
    }
}

TEST(Compare, ExactlyTheShareThatMayBeUndecidedIsNoMore) {
  for (const int open : {29, 57, 58}) {  // 0.29 * 100 is less than 29 in binary
    std::vector<ComparisonCase> base, test;
    for (int i = 0; i < 100; ++i) {
      const double spread = i < open ? 0.02 : 0.0005;
      base.push_back(a_case(std::to_string(i), launches_around(1e-3, 12, spread)));
      test.push_back(base.back());
    }
    Rules rules;
    rules.max_undecided = open / 100.0;
    EXPECT_EQ(conclusion_of(judge(base, test, rules)), Conclusion::clean) << open;
    rules.max_undecided = (open - 1) / 100.0;
    EXPECT_EQ(conclusion_of(judge(base, test, rules)), Conclusion::unfit) << open;
  }
}

TEST(Gates, AFigureMayRiseByExactlyItsBound) {
  Rules rules;
  rules.memory_bound = 0.001;  // 1000 * 1.001 is less than 1001 in binary
  auto base = a_case("k", launches_around(1e-3, 12)), test = base;
  for (const int64_t bytes : {1000, 3000, 1000000}) {
    base.peak_device_bytes = bytes;
    test.peak_device_bytes = bytes + bytes / 1000;
    EXPECT_FALSE(judge_one(base, test, rules).regressed()) << bytes;
    ++test.peak_device_bytes;
    EXPECT_TRUE(judge_one(base, test, rules).regressed()) << bytes;
  }
}

TEST(Gates, ALossBelow0IsHeldToItsSize) {
  const auto with_loss = [](double loss) {
    auto c = a_case("train", launches_around(1, 12));
    c.metric = "loss";
    c.metrics = {loss};
    return c;
  };
  EXPECT_FALSE(judge_one(with_loss(-0.01), with_loss(-0.01)).regressed());
  EXPECT_FALSE(judge_one(with_loss(-0.01), with_loss(-0.011)).regressed());
  EXPECT_FALSE(judge_one(with_loss(-0.01), with_loss(-0.009995)).regressed());
  EXPECT_TRUE(judge_one(with_loss(-0.01), with_loss(-0.0099)).regressed());
  EXPECT_TRUE(judge_one(with_loss(-0.01), with_loss(0.01)).regressed());
}

// `files` of twelve launches a side, in turn; those of the test side take `factor` times as long.
std::pair<ComparisonInput, ComparisonInput> in_turn(size_t files, double factor) {
  InputMerger base, test;
  for (size_t i = 0; i < files; ++i) {
    const double sitting = 1 + 0.001 * static_cast<double>(i % 5);
    auto one = a_side("base", {a_case("k", launches_around(1e-3 * sitting, 12))});
    auto other = a_side("test", {a_case("k", launches_around(1e-3 * sitting * factor, 12))});
    one.times_utc = {fmt::format("{:02}", 2 * i)};
    other.times_utc = {fmt::format("{:02}", 2 * i + 1)};
    base.add(std::move(one));
    test.add(std::move(other));
  }
  return {std::move(base.input()), std::move(test.input())};
}

TEST(OneRunAfterTheOther, LaunchesOfAFileAreOneTurn) {
  Rules rules;
  auto [base, test] = in_turn(2, 1.02);
  EXPECT_FALSE(take_turns(base, test, rules)) << "2 + 2 sittings tell nothing";
  EXPECT_EQ(base.cases[0].launches.size(), 24u);
  std::tie(base, test) = in_turn(8, 1.02);
  ASSERT_TRUE(take_turns(base, test, rules));
  ASSERT_EQ(base.cases[0].launches.size(), 8u);
  EXPECT_NEAR(base.cases[0].launches[1].seconds, 1.001e-3, 1e-9);
  EXPECT_EQ(base.cases[0].launches[1].samples, 120);
  EXPECT_EQ(compare(base, test, rules).cases[0].verdict, Verdict::slower);
  ComparisonInput one = a_side("base", {a_case("k", launches_around(1e-3, 3))}), other = one;
  one.times_utc = {"1", "4", "5"};
  other.times_utc = {"2", "3", "6"};
  EXPECT_TRUE(take_turns(one, other, rules)) << "a launch a file";
}

TEST(SelfComparison, CountsEveryWayToDivideTheBlocks) {
  const auto side = [](double seconds) {
    return a_side("s", {a_case("k", launches_around(seconds, 12))});
  };
  const SelfComparison none = relabel(side(1e-3), side(1e-3), {});
  EXPECT_EQ(none.relabelings, 32);  // 6 blocks, one of which stays
  EXPECT_EQ(none.comparisons, 32);
  EXPECT_EQ(none.alarms, 0);
  EXPECT_GT(relabel(side(1e-3), side(1.1e-3), {}).alarms, 0);
}

TEST(SelfComparison, UndecidedIsUnfitAndSoIsAnyAlarm) {
  const auto conclude = [](double base, double test, double spread) {
    const auto a = a_side("s", {a_case("k", launches_around(base, 12, spread))});
    const auto b = a_side("s", {a_case("k", launches_around(test, 12, spread))});
    return conclusion_of(compare(a, b, {}), relabel(a, b, {}));
  };
  EXPECT_EQ(conclude(1e-3, 1e-3, 0.0005), Conclusion::clean);
  EXPECT_EQ(conclude(1e-3, 1e-3, 0.05), Conclusion::unfit);
  EXPECT_EQ(conclude(1e-3, 1.1e-3, 0.0005), Conclusion::unfit);
}

TEST(SelfComparison, AnEffectOfTheDetectableSizeIsFound) {
  const auto base = a_case("k", launches_around(1e-3, 12, 0.003));
  const auto c = judge_one(base, base);
  const double effect = detectable_effect(c, {});
  EXPECT_GT(effect, 0.005);
  EXPECT_EQ(judge_one(base, a_case("k", launches_around(1e-3 * (1 + effect), 12, 0.003))).verdict,
            Verdict::slower);
  EXPECT_TRUE(std::isinf(detectable_effect(judge_one(a_case("k", {{1e-3, 1}}), base), {})));
}

}  // namespace
}  // namespace alsbench
