// SPDX-License-Identifier: Apache-2.0
// The clock probe's launches before and after some work.
#include <gtest/gtest.h>

#include <vector>

#include "tests/emulation/block.h"
// after block.h
#include "kernels/cuda/device/clock_probe.cuh"

namespace alsbench {
namespace {

constexpr unsigned kMultiprocessors = 4;

struct Probe {
  std::vector<ClockMark> marks = std::vector<ClockMark>(kClockMarks, ClockMark{0, 0, 0});
  std::vector<ClockSpan> spans = std::vector<ClockSpan>(kMultiprocessors, ClockSpan{7, 7});
  uint64_t sample = 0;

  void launch(ClockSpan* target) {
    const ClockProbeParams params{marks.data(), target, sample, 20'000};
    emulation::launch(kMultiprocessors, 32, false, [&] { clock_probe(params); });
  }
  void before() {
    ++sample;
    launch(nullptr);
  }
  void after() { launch(spans.data()); }
};

TEST(ClockProbe, SaysWhatPassedOnEachMultiprocessorDuringTheWork) {
  emulation::clocks = {1'000'000, 2, 0};
  Probe probe;
  probe.before();
  EXPECT_GE(emulation::clocks.nanoseconds, 1'020'000u) << "nothing was waited for";
  // The work lowers the clock, whose cycles go on from where they were.
  Probe slow = probe;
  emulation::clocks.nanoseconds += 500'000;
  for (ClockMark& mark : slow.marks) mark.cycles += 100'000;
  slow.after();
  for (const ClockSpan& span : slow.spans) {
    EXPECT_GE(span.nanoseconds, 500'000u);
    EXPECT_NEAR(static_cast<double>(span.cycles),
                2 * static_cast<double>(span.nanoseconds) - 100'000, 100);
  }
}

TEST(ClockProbe, TellsNothingOfMultiprocessorsThatItDidNotMark) {
  emulation::clocks = {1'000'000, 2, 0};
  Probe probe;
  probe.before();
  // Marks of another sample do not count.
  emulation::clocks.first_multiprocessor = 2;
  probe.before();
  emulation::clocks.first_multiprocessor = 0;
  probe.after();
  EXPECT_EQ(probe.spans[0].nanoseconds, 0u);
  EXPECT_EQ(probe.spans[1].cycles, 0u);
  EXPECT_GT(probe.spans[2].nanoseconds, 0u);
  EXPECT_GT(probe.spans[3].nanoseconds, 0u);
}

TEST(ClockProbe, HasNoMarksBeyondTheLastOne) {
  emulation::clocks = {1'000'000, 2, kClockMarks - 1};
  Probe probe;
  probe.before();
  probe.after();
  EXPECT_GT(probe.spans[0].nanoseconds, 0u);
  EXPECT_EQ(probe.spans[1].nanoseconds, 0u);
}

}  // namespace
}  // namespace alsbench
