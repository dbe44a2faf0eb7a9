// SPDX-License-Identifier: Apache-2.0
#include "harness/process/descendants.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <limits>

#include "harness/process/cpu_usage_monitor.h"
#include "harness/process/process.h"

namespace alsbench {
namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

void run(const std::string& body) {
  Process process({"/bin/sh", "-c", body});
  EXPECT_EQ(process.wait(kNoLimit), Process::Event::ended);
  process.kill_group();
}

TEST(Descendants, AreEndedWhateverSessionTheyWentTo) {
  Descendants family;
  run("setsid sleep 600 > /dev/null 2>&1 & setsid sh -c 'sleep 600 & sleep 600' > /dev/null 2>&1 & "
      "sleep 0.2");
  EXPECT_EQ(family.use().count, 4);
  EXPECT_GT(family.use().resident_bytes, 0);
  EXPECT_EQ(family.end(), 4);
  EXPECT_EQ(family.use().count, 0);
}

TEST(Descendants, AreNoneThatWereThereBefore) {
  Process before({"/bin/sleep", "600"});
  {
    Descendants family;
    EXPECT_EQ(family.use().count, 0);
    EXPECT_EQ(family.end(), 0);
  }
  EXPECT_EQ(before.wait(0.01), Process::Event::timeout);
}

TEST(CpuUsageMonitor, CountsWhatReapedChildrenHad) {
  const CpuUsageMonitor watch;
  run("i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done");
  EXPECT_GT(watch.children_seconds(), 0.001);
  const double share = watch.other_share(1).value_or(0);
  EXPECT_GE(share, 0);
  EXPECT_LE(share, 1);
}

}  // namespace
}  // namespace alsbench
