// SPDX-License-Identifier: Apache-2.0
#include "harness/device/thread_wait_monitor.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "base/clock.h"
#include "harness/device/other_work.h"

namespace alsbench {
namespace {

int64_t involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

// Nanoseconds that each thread waited on a run queue: the second number of its schedstat
// (Documentation/scheduler/sched-stats.rst of Linux).
std::map<int, int64_t> waited_by_thread() {
  std::map<int, int64_t> waited;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", error)) {
    const std::string name = entry.path().filename().string();
    int thread = 0;
    std::from_chars(name.data(), name.data() + name.size(), thread);
    int64_t ran = 0, nanoseconds = 0;
    if (std::ifstream(entry.path() / "schedstat") >> ran >> nanoseconds)
      waited[thread] = nanoseconds;
  }
  return waited;
}

int64_t running_tasks() {
  double load = 0;
  int64_t running = 0;
  std::ifstream file("/proc/loadavg");  // "0.20 0.18 0.12 1/80 11206"
  for (int i = 0; i < 3; ++i) file >> load;
  return file >> running ? running : 0;
}

}  // namespace

ThreadWaitMonitor::ThreadWaitMonitor(int threads)
    : threads_(threads),
      waited_(waited_by_thread()),
      cpu_seconds_(own_processor_seconds()),
      involuntary_switches_(alsbench::involuntary_switches()) {
  static_cast<void>(others_share_since(0));  // reads what they have had so far
  begin_ = steady_seconds();
}

ProcessorUse ThreadWaitMonitor::use() const {
  ProcessorUse use;
  use.cpu_seconds = own_processor_seconds() - cpu_seconds_;
  use.involuntary_switches = alsbench::involuntary_switches() - involuntary_switches_;
  int64_t longest = 0;
  const std::map<int, int64_t> now = waited_by_thread();
  for (const auto& [thread, nanoseconds] : now) {
    const auto before = waited_.find(thread);
    longest = std::max(longest, nanoseconds - (before == waited_.end() ? 0 : before->second));
  }
  if (!now.empty()) use.waited_seconds = 1e-9 * static_cast<double>(longest);
  use.running = running_tasks();
  if (const auto others = others_share_since(begin_)) {
    use.others_share = others->share;
    use.others_error = others->error;
    use.threads = threads_;
    if (others->processors > 0) use.processors = others->processors;
  }
  return use;
}

}  // namespace alsbench
