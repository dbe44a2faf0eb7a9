// SPDX-License-Identifier: Apache-2.0
#include "harness/process/cpu_usage_monitor.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace alsbench {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double used_by(int who) {
  rusage usage{};
  getrusage(who, &usage);
  return seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
}

// Of all processors since the system started, the first line of /proc/stat: user, nice, system,
// idle, waiting for disks, interrupts, software interrupts, stolen. NaN where there is none.
double busy_seconds() {
  std::ifstream file("/proc/stat");
  std::string name;
  file >> name;
  double busy = 0, ticks = 0;
  constexpr int kIdle = 3, kWaiting = 4, kFields = 8;
  for (int field = 0; field < kFields; ++field) {
    if (!(file >> ticks)) return std::numeric_limits<double>::quiet_NaN();
    if (field != kIdle && field != kWaiting) busy += ticks;
  }
  return busy / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

CpuUsageMonitor::CpuUsageMonitor()
    : busy_(busy_seconds()), own_(used_by(RUSAGE_SELF)), children_(used_by(RUSAGE_CHILDREN)) {}

double CpuUsageMonitor::children_seconds() const { return used_by(RUSAGE_CHILDREN) - children_; }

std::optional<double> CpuUsageMonitor::other_share(double seconds) const {
  const double busy = busy_seconds() - busy_;
  if (!(busy >= 0) || !(seconds > 0)) return std::nullopt;
  const double others = busy - children_seconds() - (used_by(RUSAGE_SELF) - own_);
  const auto processors = static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  return std::clamp(others / (seconds * processors), 0.0, 1.0);
}

}  // namespace alsbench
