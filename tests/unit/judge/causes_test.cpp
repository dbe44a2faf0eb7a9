// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/causes.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "harness/files/strict_json.h"
#include "harness/judge/comparison.h"
#include "tests/unit/judge/sides.h"
#include "tests/unit/texts.h"

namespace alsbench {
namespace {

constexpr double kBaseSeconds = 1e-3, kTestSeconds = 1.1e-3;
constexpr int kLaunches = 12;

ComparisonCase base_case(const std::string& code = "base") {
  return a_case("k", launches_around(kBaseSeconds, kLaunches), code);
}
ComparisonCase slower_case(const std::string& code = "test") {
  return a_case("k", launches_around(kTestSeconds, kLaunches), code);
}

CaseComparison judged(const ComparisonCase& base, const ComparisonCase& test,
                      const std::vector<ComparisonCase>& controls = {}) {
  std::vector<ComparisonCase> before = controls, after = controls;
  for (ComparisonCase& control : after)
    for (Launch& launch : control.launches) launch.seconds *= kTestSeconds / kBaseSeconds;
  before.push_back(base);
  after.push_back(test);
  return compare(a_side("base.json", before), a_side("test.json", after), {}).cases.at(0);
}

// "spills occupancy": the kinds in their order.
std::string kinds_of(const CaseComparison& c) {
  std::string text;
  for (const Cause& cause : c.causes)
    text += (text.empty() ? "" : " ") + std::string(name_of(cause.kind));
  return text;
}

void set_clock(ComparisonCase& c, double hz) {
  for (Launch& launch : c.launches) launch.clock_hz = hz;
}

void disturb(ComparisonCase& c, int count) {
  for (int i = 0; i < count; ++i) c.launches.at(static_cast<size_t>(i)).disturbed = true;
}

TEST(Causes, OtherCodeWithEqualResourcesIsUnknown) {
  const CaseComparison c = judged(base_case(), slower_case());
  EXPECT_EQ(c.verdict, Verdict::slower);
  EXPECT_EQ(kinds_of(c), "");
}

TEST(Causes, ACaseThatDidNotMoveHasNone) {
  ComparisonCase test = base_case("test");
  test.kernels[0].resources.local_bytes = 64;
  EXPECT_EQ(kinds_of(judged(base_case(), test)), "");
}

TEST(Causes, SpillsAndOccupancyOfOtherCode) {
  ComparisonCase test = slower_case();
  test.kernels[0].resources.local_bytes = 64;
  test.kernels[0].resources.occupancy = 0.25;
  const CaseComparison c = judged(base_case(), test);
  EXPECT_EQ(kinds_of(c), "spills occupancy");
  EXPECT_TRUE(contains(c.causes[0].evidence, "0 -> 64 bytes"));
  EXPECT_TRUE(contains(c.causes[1].evidence, "50 -> 25 %"));
}

TEST(Causes, WhatPointsTheOtherWayIsNone) {
  ComparisonCase base = base_case();
  base.kernels[0].resources.local_bytes = 64;
  base.solver_steps = 6;
  ComparisonCase test = slower_case();
  test.solver_steps = 3;
  set_clock(base, 1.7e9);
  set_clock(test, 1.9e9);
  EXPECT_EQ(kinds_of(judged(base, test)), "");
}

TEST(Causes, AClockThatExplainsHalf) {
  ComparisonCase base = base_case(), test = slower_case();
  set_clock(base, 1.98e9);
  set_clock(test, 1.8e9);
  const CaseComparison c = judged(base, test);
  EXPECT_EQ(kinds_of(c), "clock");
  EXPECT_EQ(c.causes[0].evidence, "1980 -> 1800 MHz (-9.1 %), which its tensor cores may do");
  set_clock(test, 1.95e9);
  EXPECT_EQ(kinds_of(judged(base, test)), "");
}

TEST(Causes, MoreStepsOfTheSolverAreMoreWork) {
  ComparisonCase base = base_case(), test = slower_case();
  base.solver_steps = 5;
  test.solver_steps = 5.5;
  const CaseComparison c = judged(base, test);
  EXPECT_EQ(kinds_of(c), "work");
  EXPECT_EQ(c.causes[0].evidence, "5.00 -> 5.50 steps of its solver a row");
  test.solver_steps = 5.025;
  EXPECT_EQ(kinds_of(judged(base, test)), "");
}

TEST(Causes, ThePartThatHasMostOfTheChange) {
  ComparisonCase base = base_case(), test = slower_case();
  base.parts = {{"form", {4e-4, 4.1e-4}}, {"solve", {6e-4, 6e-4}}};
  test.parts = {{"form", {4e-4, 4.2e-4}}, {"solve", {7e-4, 7e-4}}};
  const CaseComparison c = judged(base, test);
  EXPECT_EQ(kinds_of(c), "part");
  EXPECT_EQ(c.causes[0].evidence, "solve: 0.6000 -> 0.7000 ms");
}

TEST(Causes, OtherKernelsAndOtherLaunchShapes) {
  ComparisonCase test = slower_case();
  test.kernels.push_back(test.kernels[0]);
  EXPECT_EQ(kinds_of(judged(base_case(), test)), "kernels");
  test = slower_case();
  test.kernels[0].block = 64;
  EXPECT_EQ(kinds_of(judged(base_case(), test)), "launch_shape");
}

TEST(Causes, AControlThatMovedIsTheMachine) {
  ComparisonCase control = a_control("k", launches_around(kBaseSeconds, kLaunches));
  const CaseComparison c = judged(base_case(), slower_case(), {control});
  EXPECT_EQ(c.verdict, Verdict::environment);
  EXPECT_EQ(kinds_of(c), "machine");
}

TEST(Causes, ABusyDeviceIsNotASlowerKernel) {
  ComparisonCase test = slower_case();
  disturb(test, kLaunches / 2);
  const CaseComparison c = judged(base_case(), test);
  EXPECT_EQ(kinds_of(c), "contention");
  EXPECT_EQ(c.verdict, Verdict::environment);
  EXPECT_FALSE(c.regressed());
}

// Of 1 GB asked of L1 in requests of 128 bytes, L1 answers half; L2 answers half of the rest.
Counters some_counters() {
  Counters counters;
  counters.l1_bytes = 1e9;
  counters.l1_hit_bytes = 5e8;
  counters.l1_requests = 1e9 / 128;
  counters.l2_bytes = 5e8;
  counters.l2_hit_bytes = 2.5e8;
  counters.dram_read_bytes = 2e8;
  counters.dram_write_bytes = 5e7;
  counters.instructions = 1e8;
  return counters;
}

CaseComparison judged_with(const Counters& base_counters, const Counters& test_counters) {
  ComparisonCase base = base_case(), test = slower_case();
  base.counters = base_counters;
  test.counters = test_counters;
  return judged(base, test);
}

TEST(Causes, EqualCountersExplainNothing) {
  EXPECT_EQ(kinds_of(judged_with(some_counters(), some_counters())), "");
}

TEST(Causes, UncoalescedLoadsTakeMoreBytesARequest) {
  Counters test = some_counters();
  test.l1_bytes *= 4;
  test.l1_hit_bytes *= 4;
  const CaseComparison c = judged_with(some_counters(), test);
  EXPECT_EQ(kinds_of(c), "coalescing");
  EXPECT_EQ(c.causes[0].evidence, "a warp's request takes 128 -> 512 bytes of L1");
  EXPECT_EQ(kinds_of(judged_with(test, some_counters())), "");  // fewer cost no time
}

TEST(Causes, ALostCacheHintSendsRequestsToL2) {
  Counters test = some_counters();
  test.l1_hit_bytes = 0;
  test.l2_bytes = 1e9;
  test.l2_hit_bytes = 7.5e8;
  const CaseComparison c = judged_with(some_counters(), test);
  EXPECT_EQ(kinds_of(c), "l1_hits");
  EXPECT_EQ(c.causes[0].evidence, "L1 answers 50 -> 0 % of the bytes, and L2 moves 500 -> 1000 MB");
}

TEST(Causes, AThrashedL2SendsRequestsToMemory) {
  Counters test = some_counters();
  test.l2_hit_bytes = 1e8;
  test.dram_read_bytes = 3.5e8;
  const CaseComparison c = judged_with(some_counters(), test);
  EXPECT_EQ(kinds_of(c), "l2_hits");
  EXPECT_EQ(c.causes[0].evidence,
            "L2 answers 50 -> 20 % of the bytes, and memory moves 250 -> 400 MB");
}

TEST(Causes, ExtraWorkExecutesMoreInstructions) {
  Counters test = some_counters();
  test.instructions *= 1.5;
  EXPECT_EQ(kinds_of(judged_with(some_counters(), test)), "instructions");
}

TEST(Causes, TheUnitThatIsBusyForMostOfTheTimeComesFirst) {
  Counters base = some_counters(), test = some_counters();
  test.l1_hit_bytes = 0;  // asks L2 for more, which a little more arithmetic would not
  test.l2_bytes = 1e9;
  test.l2_hit_bytes = 7.5e8;
  base.seconds = 1e-3, test.seconds = 1.1e-3;
  base.cycles = 1e6, test.cycles = 1.1e6;
  base.l2 = 0.3, test.l2 = 0.35;
  base.fp32 = 0.2, test.fp32 = 0.4;
  EXPECT_EQ(kinds_of(judged_with(base, test)), "arithmetic");
  test.l2 = 0.5;
  EXPECT_EQ(kinds_of(judged_with(base, test)), "l1_hits arithmetic");
  test.fp32 = 0.24;
  EXPECT_EQ(kinds_of(judged_with(base, test)), "l1_hits");
}

TEST(Causes, AUnitThatIsHardlyBusyExplainsNothing) {
  Counters base = some_counters(), test = some_counters();
  base.seconds = 1e-2, test.seconds = 1.1e-2;
  base.cycles = 1e7, test.cycles = 1.1e7;
  base.tensor = 2e-4, test.tensor = 4e-4;  // 2.4 us of 1 ms
  EXPECT_EQ(kinds_of(judged_with(base, test)), "");
  test.tensor = 0.1;
  EXPECT_EQ(kinds_of(judged_with(base, test)), "arithmetic");
}

TEST(Causes, SpillsExplainWhatCountersSawOnlyWhereL1MovesMore) {
  ComparisonCase base = base_case(), test = slower_case();
  base.counters = test.counters = some_counters();
  test.kernels[0].resources.local_bytes = 8;
  test.counters->instructions *= 1.5;
  EXPECT_EQ(kinds_of(judged(base, test)), "spills instructions");
  test.counters->l1_bytes *= 1.5;
  EXPECT_EQ(kinds_of(judged(base, test)), "spills");
}

// Counters of an H100 of kernels with regressions that scripts/show_causes planted.
TEST(Causes, AreThoseThatWerePlanted) {
  constexpr const char* kFile = ALSBENCH_SOURCE_DIR "/tests/unit/judge/planted_counters.json";
  const Json recorded = Json::parse(std::ifstream(kFile));
  ASSERT_GE(recorded.size(), 20u);
  for (const Json& one : recorded) {
    const auto side = [&](const char* name, const char* code) {
      const Json& counted = one.at(name);
      const JsonField field(counted, kFile);
      ComparisonCase c = a_case("k", launches_around(counted.at("seconds"), kLaunches), code);
      c.kernels[0].resources.local_bytes = counted.at("local_bytes");
      c.counters = read_as<Counters>(field);
      return c;
    };
    const CaseComparison c = judged(side("base", "a"), side("test", "b"));
    ASSERT_FALSE(c.causes.empty()) << one.at("planted") << " " << one.at("case");
    EXPECT_EQ(name_of(c.causes[0].kind), one.at("cause").get<std::string>())
        << one.at("planted") << " " << one.at("case") << ": " << kinds_of(c);
  }
}

TEST(Causes, CountersOfOneSideExplainNothing) {
  ComparisonCase base = base_case();
  base.counters = some_counters();
  EXPECT_EQ(kinds_of(judged(base, slower_case())), "");
}

TEST(Causes, WorkBesideBothSidesExplainsNothing) {
  ComparisonCase base = base_case(), test = slower_case();
  disturb(base, kLaunches / 2);
  disturb(test, kLaunches / 2);
  const CaseComparison c = judged(base, test);
  EXPECT_EQ(kinds_of(c), "");
  EXPECT_EQ(c.verdict, Verdict::slower);
}

}  // namespace
}  // namespace alsbench
