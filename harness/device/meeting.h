// SPDX-License-Identifier: Apache-2.0
// Meeting: where the threads of a team wait for each other. Once it is broken off nobody waits
// there any more. A thread that waits looks again and again for a while before it sleeps: waking
// up takes as long as some exchanges, and members would begin an iteration that much apart.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace alsbench {

// What a thread gets that waits at a meeting which another one broke off.
class BrokenMeeting : public std::runtime_error {
 public:
  BrokenMeeting() : std::runtime_error("another member of the team failed") {}
};

class Meeting {
 public:
  explicit Meeting(int members) : brought_(static_cast<size_t>(members)) {}

  // Waits until all have come. What each one brought, by member. Throws BrokenMeeting.
  std::vector<void*> come(int member, void* brought = nullptr);
  void break_off() noexcept;

 private:
  bool is_over(uint64_t time) const { return broken_ || times_ != time; }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<void*> brought_, released_;
  size_t here_ = 0;
  std::atomic<uint64_t> times_ = 0;  // that all came
  std::atomic<bool> broken_ = false;
};

}  // namespace alsbench
