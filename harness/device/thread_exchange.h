// SPDX-License-Identifier: Apache-2.0
// ThreadExchange: what exchanges of members in threads of one process have in common.
#pragma once

#include <vector>

#include "harness/device/exchange.h"
#include "harness/device/meeting.h"

namespace alsbench {

class ThreadExchange : public Exchange {
 public:
  explicit ThreadExchange(int members) : meeting_(members) {}

  std::vector<char> gather(int member, const void* own, int64_t bytes) override {
    std::vector<char> result;
    for (const void* const values : meeting_.come(member, const_cast<void*>(own))) {
      const char* const begin = static_cast<const char*>(values);
      result.insert(result.end(), begin, begin + bytes);
    }
    meeting_.come(member);  // all have read
    return result;
  }
  void abort() noexcept override { meeting_.break_off(); }

 protected:
  Meeting& meeting() { return meeting_; }

 private:
  Meeting meeting_;
};

}  // namespace alsbench
