// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harness/judge/report.h"

namespace alsbench {
namespace {

CaseComparison a_story_case(Verdict verdict, double ratio) {
  CaseComparison c;
  c.name = "k";
  c.verdict = c.time_verdict = verdict;
  c.base_launches = c.test_launches = 12;
  c.ratio = ratio;
  return c;
}

std::vector<StoryKind> kinds_of(const Comparison& comparison) {
  std::vector<StoryKind> kinds;
  for (const Story& story : stories_of(comparison)) kinds.push_back(story.kind);
  return kinds;
}

const SetupDifference kDriver{StoryKind::machine, "device 0 driver", "580.1", "570.2", true};
const SetupDifference kSampling{StoryKind::method, "sampling", "a", "b"};
const SetupDifference kFewerLaunches{StoryKind::method, "launches", "12", "4", false, true};

using Kinds = std::vector<StoryKind>;

TEST(Stories, WhatTheSidesDoNotShareComesBeforeWhatTheTimesSay) {
  Comparison comparison;
  comparison.cases = {a_story_case(Verdict::slower, 1.05)};
  EXPECT_EQ(kinds_of(comparison), Kinds{StoryKind::change});
  comparison.setup = {kSampling};
  EXPECT_EQ(kinds_of(comparison), (Kinds{StoryKind::method, StoryKind::change}));
  comparison.setup = {kDriver, kSampling};
  EXPECT_EQ(kinds_of(comparison),
            (Kinds{StoryKind::machine, StoryKind::method, StoryKind::change}));
  EXPECT_EQ(stories_of(comparison)[0].evidence, "device 0 driver: 580.1 -> 570.2");
}

TEST(Stories, LaunchesThatDifferExplainNoChange) {
  Comparison comparison;
  comparison.setup = {kFewerLaunches};
  comparison.cases = {a_story_case(Verdict::slower, 1.05)};
  EXPECT_EQ(kinds_of(comparison), (Kinds{StoryKind::change, StoryKind::method}));
  comparison.cases = {a_story_case(Verdict::undecided, 1.05)};
  EXPECT_EQ(kinds_of(comparison), (Kinds{StoryKind::method, StoryKind::noise}));
}

TEST(Stories, AControlThatMovedIsTheMachine) {
  Comparison comparison;
  comparison.cases = {a_story_case(Verdict::environment, 1.05)};
  comparison.controls = {a_story_case(Verdict::slower, 1.03)};
  EXPECT_EQ(kinds_of(comparison), Kinds{StoryKind::machine});
}

TEST(Stories, TheClockIsTheMachineUnlessTheCodeChanged) {
  Comparison comparison;
  comparison.cases = {a_story_case(Verdict::slower, 1.2)};
  comparison.cases[0].causes = {{CauseKind::clock, "1980 -> 1600 MHz"}};
  EXPECT_EQ(kinds_of(comparison), Kinds{StoryKind::machine});
  comparison.cases[0].code = SameCode::changed;
  EXPECT_EQ(kinds_of(comparison), Kinds{StoryKind::change});
}

TEST(Stories, WhatDidNotMoveIsNoise) {
  Comparison comparison;
  comparison.cases = {a_story_case(Verdict::same, 1), a_story_case(Verdict::undecided, 1.004)};
  EXPECT_EQ(kinds_of(comparison), Kinds{StoryKind::noise});
  comparison.cases.pop_back();
  EXPECT_EQ(kinds_of(comparison), Kinds{StoryKind::noise});
}

CaseComparison of_launches(const char* name, int64_t base, int64_t test, int64_t needed) {
  CaseComparison c = a_story_case(Verdict::undecided, 1.2);
  c.name = name;
  c.base_launches = base;
  c.test_launches = test;
  c.launches_needed = needed;
  c.too_few_launches = needed > 0;
  return c;
}

TEST(Stories, TooFewLaunchesAreNoNoise) {
  Comparison comparison;
  comparison.cases = {of_launches("k", 2, 1, 6), a_story_case(Verdict::same, 1)};
  const std::vector<Story> one = stories_of(comparison);
  ASSERT_EQ(kinds_of(comparison), Kinds{StoryKind::launches});
  EXPECT_EQ(one[0].evidence,
            "1 of 2 cases could not be told slower or faster: k (2 + 1 launches); 6 + 6 can tell");
  comparison.cases = {of_launches("k", 5, 5, 6), of_launches("l", 12, 12, 0)};
  const std::vector<Story> both = stories_of(comparison);
  ASSERT_EQ(kinds_of(comparison), (Kinds{StoryKind::launches, StoryKind::noise}));
  EXPECT_EQ(both[1].evidence, "1 of 2 cases undecided") << "not those that lack launches";
}

TEST(Stories, OfManyCasesWithTooFewLaunchesThreeAreNamed) {
  Comparison comparison;
  for (const char* name : {"a", "b", "c", "d", "e"})
    comparison.cases.push_back(of_launches(name, 1, 1, 7));
  EXPECT_EQ(stories_of(comparison)[0].evidence,
            "5 of 5 cases could not be told slower or faster: a (1 + 1 launches), b (1 + 1), "
            "c (1 + 1) and 2 more; 7 + 7 can tell");
}

TEST(Stories, AnEffectBeyondTheBoundThatIsUndecidedIsNoNoise) {
  Comparison comparison;
  comparison.cases = {a_story_case(Verdict::undecided, 1.044),
                      a_story_case(Verdict::undecided, 1.003)};
  comparison.cases[0].ratio_low = 1.036, comparison.cases[0].ratio_high = 1.05;
  comparison.cases[1].ratio_low = 0.99, comparison.cases[1].ratio_high = 1.02;
  ASSERT_EQ(kinds_of(comparison), (Kinds{StoryKind::unconfirmed, StoryKind::noise}));
  EXPECT_EQ(stories_of(comparison)[0].evidence,
            "1 of 2 cases moved, the most k by +4.4 %, but was not confirmed");
  EXPECT_EQ(stories_of(comparison)[1].evidence, "1 of 2 cases undecided");
  comparison.cases[1] = a_story_case(Verdict::undecided, 0.9);
  comparison.cases[1].ratio_low = 0.88, comparison.cases[1].ratio_high = 0.92;
  EXPECT_EQ(stories_of(comparison)[0].evidence,
            "2 of 2 cases moved, the most k by -10.0 %, but were not confirmed");
}

TEST(Stories, WhatMovedOrDiffersComesBeforeTooFewLaunches) {
  Comparison comparison;
  comparison.cases = {of_launches("k", 5, 5, 6), a_story_case(Verdict::slower, 1.05)};
  EXPECT_EQ(kinds_of(comparison), (Kinds{StoryKind::change, StoryKind::launches}));
  comparison.cases.pop_back();
  comparison.setup = {kFewerLaunches};
  EXPECT_EQ(kinds_of(comparison), (Kinds{StoryKind::method, StoryKind::launches}));
}

}  // namespace
}  // namespace alsbench
