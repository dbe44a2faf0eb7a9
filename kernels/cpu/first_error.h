// SPDX-License-Identifier: Apache-2.0
// FirstError: carries an exception out of a parallel region, where leaving it ends the program.
#pragma once

#include <atomic>
#include <exception>

namespace alsbench {

// run() is called by all threads, rethrow() behind the region.
class FirstError {
 public:
  // Does the work, unless other work has failed.
  template <class Work>
  void run(const Work& work) noexcept {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      work();
    } catch (...) {
      if (!failed_.exchange(true)) error_ = std::current_exception();
    }
  }
  // Throws what the first failing work threw.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::atomic<bool> failed_{false};
  std::exception_ptr error_;
};

}  // namespace alsbench
