// SPDX-License-Identifier: Apache-2.0
#include "harness/process/cpu_usage_monitor.h"

#include <sys/resource.h>

#include <algorithm>

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

}  // namespace

CpuUsageMonitor::CpuUsageMonitor()
    : processors_(processor_time()),
      own_(used_by(RUSAGE_SELF)),
      children_(used_by(RUSAGE_CHILDREN)) {}

double CpuUsageMonitor::children_seconds() const { return used_by(RUSAGE_CHILDREN) - children_; }

std::optional<double> CpuUsageMonitor::other_share(double seconds) const {
  const std::optional<ProcessorTime> now = processor_time();
  if (!now || !processors_ || !(seconds > 0)) return std::nullopt;
  const double busy = now->busy_seconds - processors_->busy_seconds;
  const double others = busy - children_seconds() - (used_by(RUSAGE_SELF) - own_);
  return std::clamp(others / (seconds * now->processors), 0.0, 1.0);
}

}  // namespace alsbench
