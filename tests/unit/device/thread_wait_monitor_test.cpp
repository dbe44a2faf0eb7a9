// SPDX-License-Identifier: Apache-2.0
#include "harness/device/thread_wait_monitor.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <thread>

namespace alsbench {
namespace {

// Works until the thread had so much of a processor.
void work(double seconds) {
  const auto used = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = used();
  while (used() - begin < seconds) {
  }
}

// The process keeps to the first of its processors for a while.
class OneProcessor {
 public:
  OneProcessor() {
    sched_getaffinity(0, sizeof(all_), &all_);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE; ++i)
      if (CPU_ISSET(i, &all_)) {
        CPU_SET(i, &one);
        break;
      }
    sched_setaffinity(0, sizeof(one), &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof(all_), &all_); }
  OneProcessor(const OneProcessor&) = delete;
  OneProcessor& operator=(const OneProcessor&) = delete;

 private:
  cpu_set_t all_{};
};

TEST(ThreadWaitMonitor, SaysWhatTheThreadsUsedAndWaited) {
  constexpr double kEach = 0.05;
  const OneProcessor one;
  const ThreadWaitMonitor watch(2);
  std::atomic<bool> done = false;
  std::thread other([&] {
    work(kEach);
    while (!done) std::this_thread::yield();  // its wait is read while it lives
  });
  work(kEach);
  const ProcessorUse use = watch.use();
  done = true;
  other.join();
  EXPECT_GE(use.cpu_seconds, kEach);
  EXPECT_GE(use.running, 1);
  if (use.others_share) {
    EXPECT_GE(*use.others_share, 0);
    EXPECT_LE(*use.others_share, 1);
    EXPECT_GT(use.others_error.value_or(0), 0);
    EXPECT_EQ(use.threads, 2);
  }
  if (!use.waited_seconds) GTEST_SKIP() << "this kernel keeps no schedstat of threads";
  EXPECT_GT(*use.waited_seconds, 0);
}

}  // namespace
}  // namespace alsbench
