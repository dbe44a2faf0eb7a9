// SPDX-License-Identifier: Apache-2.0
// ReadingProgress: how many bytes of the file that is being read are done, for whoever shows it.
// Readers count whole pieces of megabytes, so counting costs them nothing.
#pragma once

#include <atomic>
#include <cstdint>

namespace alsbench {

class ReadingProgress {
 public:
  // A file, or a step of reading it, of so many bytes begins.
  void begin(int64_t all) {
    done_ = 0;
    all_ = all;
  }
  // From any thread.
  void add(int64_t bytes) { done_.fetch_add(bytes, std::memory_order_relaxed); }

  int64_t done() const { return done_; }
  int64_t all() const { return all_; }  // 0 before the first step begins

 private:
  std::atomic<int64_t> done_{0}, all_{0};
};

// The one of this process, which reads a file at a time.
inline ReadingProgress& reading_progress() {
  static ReadingProgress progress;
  return progress;
}

}  // namespace alsbench
