// SPDX-License-Identifier: Apache-2.0
// Processor time of this process's threads while something was timed, how long they waited for a
// processor, and what other processes had.
#pragma once

#include <cstdint>
#include <map>

#include "harness/record/measurement_record.h"

namespace alsbench {

// Watches from its construction on; files of Linux's /proc are read.
class ThreadWaitMonitor {
 public:
  // Of so many threads that compute.
  explicit ThreadWaitMonitor(int threads);
  ProcessorUse use() const;

 private:
  int threads_;
  double begin_ = 0;               // by steady_seconds()
  std::map<int, int64_t> waited_;  // nanoseconds of each thread
  double cpu_seconds_;
  int64_t involuntary_switches_;
};

}  // namespace alsbench
