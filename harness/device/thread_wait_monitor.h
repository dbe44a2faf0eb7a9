// SPDX-License-Identifier: Apache-2.0
// Processor time of this process's threads while something was timed: whether other work on the
// machine made them wait.
#pragma once

#include <cstdint>
#include <map>

#include "harness/record/measurement_record.h"

namespace alsbench {

// Watches from its construction on; files of Linux's /proc are read.
class ThreadWaitMonitor {
 public:
  ThreadWaitMonitor();
  ProcessorUse use() const;

 private:
  std::map<int, int64_t> waited_;  // nanoseconds of each thread
  double cpu_seconds_;
  int64_t involuntary_switches_;
};

}  // namespace alsbench
