// SPDX-License-Identifier: Apache-2.0
#include "harness/device/meeting.h"

#include <chrono>
#include <thread>

#include "base/clock.h"

namespace alsbench {
namespace {

constexpr std::chrono::microseconds kAwake{200};

}  // namespace

std::vector<void*> Meeting::come(int member, void* brought) {
  std::unique_lock lock(mutex_);
  brought_[static_cast<size_t>(member)] = brought;
  const uint64_t time = times_;
  if (!broken_ && ++here_ == brought_.size()) {
    released_ = brought_;
    here_ = 0;
    ++times_;
    changed_.notify_all();
  }
  lock.unlock();
  const auto begin = Clock::now();
  while (!is_over(time) && Clock::now() - begin < kAwake) std::this_thread::yield();
  lock.lock();
  changed_.wait(lock, [&] { return is_over(time); });
  if (broken_) throw BrokenMeeting();
  return released_;  // stays until all, this thread among them, have come again
}

void Meeting::break_off() noexcept {
  const std::lock_guard lock(mutex_);
  broken_ = true;
  changed_.notify_all();
}

}  // namespace alsbench
