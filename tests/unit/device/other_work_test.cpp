// SPDX-License-Identifier: Apache-2.0
// The share of other processes, of made-up readings.
#include "harness/device/other_work.h"

#include <gtest/gtest.h>

namespace alsbench {
namespace {

// A machine whose processors are read ten times a second, while this process has so many of them
// and others so many.
OtherWork watched(int processors, double seconds, double own, double others) {
  OtherWork work;
  for (int i = 0; i <= static_cast<int>(10 * seconds); ++i) {
    const double at = 0.1 * i;
    work.add({100 + at, 5000 + at * (own + others), 7 + at * own, processors});
  }
  return work;
}

TEST(OtherWork, IsWhatTheProcessorsWorkedLessWhatThisProcessHad) {
  EXPECT_FALSE(OtherWork().since(0));
  EXPECT_FALSE(watched(2, 0, 1, 1).since(0)) << "of one reading";
  for (const int processors : {2, 16}) {
    for (const double others : {0.0, 1.0, 2.0}) {
      const auto had = watched(processors, 5, processors - others, others).since(104.9);
      ASSERT_TRUE(had);
      EXPECT_NEAR(had->share, others / processors, 1e-9);
      EXPECT_EQ(had->processors, processors);
      EXPECT_EQ(had->share - had->error > 0.02, others > 0) << processors << " " << others;
    }
  }
}

TEST(OtherWork, IsSaidOfTwoSecondsAtLeast) {
  OtherWork work;
  // Others have a processor of two from 110 s to 111 s.
  for (int i = 0; i <= 200; ++i) {
    const double at = 100 + 0.1 * i, had = at < 110 ? 0 : at > 111 ? 1 : at - 110;
    work.add({at, had + at, at, 2});
    if (i == 110 || i == 115) {
      EXPECT_NEAR(work.since(at - 0.001)->share, 0.25, 1e-6);
    } else if (i == 140) {
      EXPECT_NEAR(work.since(at - 0.001)->share, 0, 1e-6);
    }
  }
}

TEST(OtherWork, OfALongTimeIsThatOfAllOfIt) {
  OtherWork work;
  work.add({100, 0, 0, 2});
  work.add({160, 60 + 30, 60, 2});
  EXPECT_DOUBLE_EQ(work.since(100)->share, 0.25);
}

TEST(OtherWork, IsLessCertainTheShorterTheTime) {
  const auto shortly = watched(2, 0.1, 2, 0).since(100), longer = watched(2, 3, 2, 0).since(100);
  EXPECT_GT(shortly->error, 0.3);
  EXPECT_LT(longer->error, 0.08);
}

TEST(OtherWork, IsNeverLessThanNothing) {
  OtherWork work;
  work.add({100, 50, 10, 2});
  work.add({101, 51, 12, 2});  // a tick that is still to be counted
  EXPECT_EQ(work.since(100)->share, 0);
}

}  // namespace
}  // namespace alsbench
