// SPDX-License-Identifier: Apache-2.0
// ThreadExchange: what exchanges of members in threads of one process have in common.
#pragma once

#include <vector>

#include "harness/device/abortable_barrier.h"
#include "harness/device/exchange.h"

namespace alsbench {

class ThreadExchange : public Exchange {
 public:
  explicit ThreadExchange(int members) : barrier_(members) {}

  std::vector<char> gather(int member, const void* own, int64_t bytes) override {
    std::vector<char> result;
    for (const void* const values : barrier_.arrive_and_wait(member, const_cast<void*>(own))) {
      const char* const begin = static_cast<const char*>(values);
      result.insert(result.end(), begin, begin + bytes);
    }
    barrier_.arrive_and_wait(member);  // all have read
    return result;
  }
  void abort() noexcept override { barrier_.abort(); }

 protected:
  AbortableBarrier& barrier() { return barrier_; }

 private:
  AbortableBarrier barrier_;
};

}  // namespace alsbench
