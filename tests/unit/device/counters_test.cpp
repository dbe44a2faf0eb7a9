// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "harness/device/counters_unavailable.h"
#include "harness/device/perf_events.h"
#include "tests/unit/texts.h"

#if ALSBENCH_WITH_CUDA
#include "harness/device/cuda/cupti_session.h"
#include "harness/device/cuda/gpu_counters.h"
#endif

namespace alsbench {
namespace {

TEST(PerfEvents, CountTheWorkOrSayWhyTheyDoNot) {
  constexpr int kAdditions = 1'000'000;
  volatile int sum = 0;
  bool worked = false;
  try {
    const Counters counters = count_by_perf([&] {
      for (int i = 0; i < kAdditions; ++i) sum = sum + i;
      worked = true;
    });
    EXPECT_TRUE(worked);
    EXPECT_GT(counters.instructions, kAdditions);
    EXPECT_GT(counters.cycles, 0);
    EXPECT_GT(counters.seconds, 0);
  } catch (const CountersUnavailable& refused) {
    EXPECT_TRUE(contains(refused.refusal.detail, "perf_event_open"));
    EXPECT_NE(refused.refusal.remedy, "");
  }
}

#if ALSBENCH_WITH_CUDA

// CUPTI knows the metrics of every chip, whatever is in the machine.
TEST(GpuCounters, AreMetricsOfEveryArchitecture) {
  for (const char* chip : {"TU102", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202"}) {
    std::vector<std::string> known;
    try {
      known = metrics_of_chip(chip, counter_metrics());
    } catch (const CountersUnavailable& refused) {
      GTEST_SKIP() << refused.what();
    }
    size_t missing = 0;
    for (const std::string& metric : counter_metrics()) {
      if (std::find(known.begin(), known.end(), metric) != known.end()) continue;
      ++missing;
      EXPECT_TRUE(metric.starts_with("dram__bytes_") ||
                  metric.starts_with("smsp__warps_issue_stalled_"))
          << chip << " has no " << metric;
    }
    EXPECT_LE(missing, 4U) << chip;  // the two other names of DRAM's bytes, and two stalls
  }
}

TEST(GpuCounters, TakeTheNameThatTheChipHas) {
  std::vector<double> values(counter_metrics().size(), 1);
  const auto place = [](const std::string& name) {
    const std::vector<std::string> all = counter_metrics();
    return static_cast<size_t>(std::find(all.begin(), all.end(), name) - all.begin());
  };
  values.at(place("dram__bytes_read.sum")) = Counters::kUnknown;
  values.at(place("dram__bytes_op_read.sum")) = 7;
  values.at(place("lts__t_sectors_srcunit_tex.sum")) = 10;
  values.at(place("smsp__warps_active.sum")) = 100;
  values.at(place("smsp__warps_issue_stalled_barrier.sum")) = 60;
  values.at(place("smsp__warps_issue_stalled_wait.sum")) = 30;
  const Counters counters = counters_of(values);
  EXPECT_EQ(counters.dram_read_bytes, 7);
  EXPECT_EQ(counters.l2_bytes, 320);  // sectors of 32 bytes
  ASSERT_EQ(counters.stalls.size(), 3U);
  EXPECT_EQ(counters.stalls[0].reason, "barrier");
  EXPECT_DOUBLE_EQ(counters.stalls[0].share, 0.6);
  EXPECT_EQ(counters.stalls[1].reason, "wait");
}

#endif

}  // namespace
}  // namespace alsbench
