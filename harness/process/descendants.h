// SPDX-License-Identifier: Apache-2.0
// Descendants: every process that a program has started, however deep, and whatever group or
// session it went to. One whose parent ended becomes a child of this process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <set>

namespace alsbench {

// Resources that such processes take.
struct ProcessUse {
  int64_t resident_bytes = 0;
  int count = 0;
};

class Descendants {
 public:
  // From here on; children that this process has now do not count. One at a time.
  Descendants();
  ~Descendants();  // ends them
  Descendants(const Descendants&) = delete;
  Descendants& operator=(const Descendants&) = delete;

  ProcessUse use() const;  // of those that run
  // Kills all that still run, and what those start meanwhile, and reaps all that have ended. How
  // many were killed.
  int end();

 private:
  std::set<pid_t> others_;  // children that were there before
  int was_reaper_ = 0;
};

}  // namespace alsbench
